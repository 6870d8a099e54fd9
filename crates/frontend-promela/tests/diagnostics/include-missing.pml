#include "nofile.h"
init { skip }