// Holds a weak definition of the standard library, for check_objects.py to
// find.
#include <algorithm>

const int& (*planted_weak)(const int&, const int&) = std::max<int>;
