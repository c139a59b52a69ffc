#pragma once

#include "shosa/blend/rig.h"
