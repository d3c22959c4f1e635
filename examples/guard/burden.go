package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// clients is how many requests are on their way at a time.
const clients = 64

// figures are the measurements of a burden of requests.
type figures struct {
	judged, waited []time.Duration // by request: for its verdict, and in all
	verdicts       map[verdict]int
	bytes          int // that a verdict allocates
	before, after  int // goroutines
}

// burden serves, sends requests about the points in turn, and stops.
func burden(
	ctx context.Context, g *guard, points [][]float64, requests int,
) (f figures, err error) {
	f.before = runtime.NumGoroutine()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return f, err
	}
	server := &http.Server{Handler: g, ReadHeaderTimeout: time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	err = f.send(ctx, "http://"+listener.Addr().String(), points, requests)
	if err := server.Shutdown(ctx); err != nil {
		return f, err
	}
	if stopped := <-served; err == nil && stopped != http.ErrServerClosed {
		err = stopped
	}
	if err != nil {
		return f, err
	}
	f.after = settled(f.before)
	f.bytes, err = allocated(ctx, g, points)
	return f, err
}

// send sends the requests.
func (f *figures) send(
	ctx context.Context, url string, points [][]float64, requests int,
) error {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	verdicts := make([]verdict, requests)
	f.judged, f.waited = make([]time.Duration, requests), make([]time.Duration, requests)
	group, ctx := errgroup.WithContext(ctx)
	for c := range clients {
		group.Go(func() error {
			for i := c; i < requests; i += clients {
				start := time.Now()
				var err error
				verdicts[i], f.judged[i], err = ask(ctx, client, url, points[i%len(points)])
				if f.waited[i] = time.Since(start); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := group.Wait()
	f.verdicts = map[verdict]int{}
	for _, v := range verdicts {
		f.verdicts[v]++
	}
	return err
}

// ask sends a request, and returns the verdict and how long that took.
func ask(
	ctx context.Context, client *http.Client, url string, x []float64,
) (v verdict, judged time.Duration, err error) {
	body, err := json.Marshal(x)
	if err != nil {
		return v, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return v, 0, err
	}
	response, err := client.Do(request)
	if err != nil {
		return v, 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return v, 0, err
	}
	if response.StatusCode != http.StatusOK {
		return v, 0, fmt.Errorf("%s: %s", response.Status, text)
	}
	_, dur, _ := strings.Cut(response.Header.Get("Server-Timing"), "dur=")
	judged, err = time.ParseDuration(dur + "ms")
	if err != nil {
		return v, 0, err
	}
	return v, judged, json.Unmarshal(text, &v)
}

// settled waits until there are no more goroutines than before, or a second has passed, and returns
// how many there are.
func settled(before int) int {
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// allocated returns how many bytes a verdict allocates when others have come before.
func allocated(ctx context.Context, g *guard, points [][]float64) (int, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, x := range points {
		if _, _, err := g.certify(ctx, x); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc-before.TotalAlloc) / len(points), nil
}

// String is a table.
func (f figures) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "%d requests, %d at a time, on %d processors\n\n",
		len(f.judged), clients, runtime.GOMAXPROCS(0))
	fmt.Fprintln(&w, "milliseconds       p50      p99    p99.9    worst")
	f.row(&w, "a verdict", f.judged)
	f.row(&w, "a request", f.waited)
	fmt.Fprintln(&w, "\nlabel  robust within  requests")
	compare := func(a, b verdict) int {
		return slices.Compare(a.key(), b.key())
	}
	for _, v := range slices.SortedFunc(maps.Keys(f.verdicts), compare) {
		open := ""
		if v.Open {
			open = " or more"
		}
		within := fmt.Sprint(v.RobustWithin, open)
		fmt.Fprintf(&w, "%5d  %-13s  %8d\n", v.Label, within, f.verdicts[v])
	}
	fmt.Fprintf(&w, "\na verdict allocates %.1f kB; %d goroutines before, %d after\n",
		float64(f.bytes)/1e3, f.before, f.after)
	return w.String()
}

// key is the key by which verdicts are sorted.
func (v verdict) key() []float64 {
	open := 0.0
	if v.Open {
		open = 1
	}
	return []float64{float64(v.Label), v.RobustWithin, open}
}

// row writes how long a share of the requests takes at most.
func (figures) row(w io.Writer, name string, times []time.Duration) {
	times = slices.Sorted(slices.Values(times))
	at := func(share float64) float64 {
		return times[min(len(times)-1, int(share*float64(len(times))))].Seconds() * 1e3
	}
	fmt.Fprintf(w, "%-12s %9.3f%9.3f%9.3f%9.3f\n", name, at(0.5), at(0.99), at(0.999), at(1))
}
