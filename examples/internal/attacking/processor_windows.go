package attacking

import "syscall"

// processorSeconds is the time that all processors have spent on this process.
func processorSeconds() float64 {
	var created, exited, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(self, &created, &exited, &kernel, &user)
	}
	if err != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) float64 {
		return float64(t.HighDateTime)*(1<<32) + float64(t.LowDateTime)
	}
	return (ticks(kernel) + ticks(user)) / 1e7
}
