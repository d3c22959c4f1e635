package report

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// browser is a session of WebDriver.
type browser struct {
	t    *testing.T
	base string
}

// openBrowser starts the chromedriver that FACET_CHROMEDRIVER names.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	program := os.Getenv("FACET_CHROMEDRIVER")
	if program == "" {
		t.Skip("FACET_CHROMEDRIVER is not set: it names the driver of a Chromium")
	}
	driver := exec.Command(program, "--port=0")
	output, err := driver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		driver.Process.Kill()
		driver.Wait()
	})
	started := regexp.MustCompile(`started successfully on port (\d+)`)
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if m := started.FindStringSubmatch(lines.Text()); m != nil {
			b := &browser{t, "http://127.0.0.1:" + m[1] + "/session"}
			b.begin()
			return b
		}
	}
	t.Fatal("chromedriver did not start")
	return nil
}

func (b *browser) begin() {
	var session struct{ SessionID string }
	b.call("", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"goog:chromeOptions": map[string]any{
			"args": []string{"--headless", "--no-sandbox", "--disable-gpu",
				"--disable-dev-shm-usage"},
		},
		"goog:loggingPrefs": map[string]string{"browser": "ALL"},
	}}}, &session)
	b.base += "/" + session.SessionID
	b.t.Cleanup(func() {
		request, err := http.NewRequest(http.MethodDelete, b.base, nil)
		if err != nil {
			b.t.Error(err)
			return
		}
		if r, err := http.DefaultClient.Do(request); err == nil {
			r.Body.Close()
		}
	})
}

// call posts a command and reads its value.
func (b *browser) call(command string, body, value any) {
	b.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := http.Post(b.base+command, "application/json", bytes.NewReader(text))
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		b.t.Fatal(err)
	}
	if r.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %s", command, answer.Value)
	}
	if value == nil {
		return
	}
	if err := json.Unmarshal(answer.Value, value); err != nil {
		b.t.Fatalf("%s: %v in %s", command, err, answer.Value)
	}
}

// run runs a script on the page, which returns JSON.
func (b *browser) run(script string, value any) {
	b.t.Helper()
	var text string // JSON, for the driver's objects depend on its version
	b.call("/execute/sync", map[string]any{"script": script, "args": []any{}}, &text)
	if err := json.Unmarshal([]byte(text), value); err != nil {
		b.t.Fatal(err)
	}
}

// TestBrowser: a Chromium shows the page at two widths without overflow or errors, pictures have
// alternative texts, and it prints.
func TestBrowser(t *testing.T) {
	b := openBrowser(t)
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(write(t, source(t, 400))), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{380, 1200} {
		b.call("/window/rect", map[string]int{"width": width, "height": 900}, nil)
		b.call("/url", map[string]string{"url": "file://" + path}, nil)
		b.checkPage(fmt.Sprintf("%d wide", width))
	}
	var pdf string
	b.call("/print", map[string]any{}, &pdf)
	if text, err := base64.StdEncoding.DecodeString(pdf); err != nil ||
		!bytes.HasPrefix(text, []byte("%PDF")) {
		t.Errorf("printing gives no PDF: %v", err)
	}
	var log []struct{ Level, Message string }
	b.call("/se/log", map[string]string{"type": "browser"}, &log)
	for _, entry := range log {
		t.Errorf("console: %s %s", entry.Level, entry.Message)
	}
}

func (b *browser) checkPage(name string) {
	b.t.Helper()
	var page struct {
		Width, Window, Pictures, Titled int
		Background, Text                string
	}
	b.run(`const pictures = [...document.querySelectorAll('svg:not([aria-hidden])')];
	  const named = p => p.getAttribute('aria-labelledby').split(' ').every(
	    id => document.getElementById(id) && document.getElementById(id).textContent.trim());
	  return JSON.stringify({Width: document.documentElement.scrollWidth, Window: window.innerWidth,
	    Pictures: pictures.length, Titled: pictures.filter(named).length,
	    Background: getComputedStyle(document.body).backgroundColor,
	    Text: getComputedStyle(document.body).color})`, &page)
	if page.Width > page.Window {
		b.t.Errorf("%s: the page is %d wide in a window of %d", name, page.Width, page.Window)
	}
	if page.Pictures < 2 || page.Titled != page.Pictures {
		b.t.Errorf("%s: %d of %d pictures have texts", name, page.Titled, page.Pictures)
	}
	if page.Background == page.Text || !strings.HasPrefix(page.Background, "rgb") {
		b.t.Errorf("%s: text %s on %s", name, page.Text, page.Background)
	}
}
