"""The compiler of kernels: rules become IR, passes improve it, emitters write it for Python, Numba and JavaScript."""
