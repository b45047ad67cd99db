#pragma once

namespace chapter04 {}
