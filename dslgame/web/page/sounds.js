// Sounds of moves, made as they are heard: no file is loaded. They are off until somebody switches them on.

let context = null;

/** What is heard: [Hz at first, Hz at last, seconds, loudness] of each tone, one after the other, and the share of noise. */
const SOUNDS = {
  move: { tones: [[420, 160, 0.09, 0.5]], noise: 0.5 },
  capture: { tones: [[520, 120, 0.08, 0.5], [260, 90, 0.12, 0.5]], noise: 0.7 },
  turn: { tones: [[620, 340, 0.06, 0.35], [480, 260, 0.06, 0.35]], noise: 0.25 },
  end: { tones: [[392, 392, 0.16, 0.35], [523, 523, 0.16, 0.35], [659, 659, 0.32, 0.35]], noise: 0 },
};

/** Let a sound be heard. */
export function sound(name) {
  context ??= new AudioContext();
  context.resume();
  let at = context.currentTime + 0.01;
  for (const [high, low, length, loud] of SOUNDS[name].tones) {
    const tone = new OscillatorNode(context, { type: "sine", frequency: high });
    tone.frequency.exponentialRampToValueAtTime(low, at + length);
    begin(tone, at, length, loud);
    if (SOUNDS[name].noise) begin(noise(), at, length / 3, loud * SOUNDS[name].noise);
    at += length * 0.8;
  }
}

function begin(source, at, length, loud) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(loud * 0.5, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

function noise() {
  const buffer = new AudioBuffer({ length: context.sampleRate / 10, sampleRate: context.sampleRate });
  buffer.getChannelData(0).forEach((_, place, samples) => { samples[place] = Math.random() * 2 - 1; });
  return new AudioBufferSourceNode(context, { buffer });
}
