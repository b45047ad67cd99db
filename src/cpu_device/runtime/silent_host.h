/// @file
/// A host that waits for a host function, or for memory that a kernel writes, by looking at a
/// variable again and again: it calls nothing that would have the work performed. So a thread of
/// ours performs it when the host has been silent for a while.
#pragma once

namespace cpu_device {

/// Work has been submitted whose effects a host may see without calling us.
/// @param calls_host  it is a function of the host, which programs often wait for in this way.
void watch_silent_host(bool calls_host);
/// The host is alive: it has submitted work or waited for some.
void host_has_called();

}  // namespace cpu_device
