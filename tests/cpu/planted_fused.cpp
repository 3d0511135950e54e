// Holds a fused multiply-add, for check_objects.py to find.
double planted_fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
