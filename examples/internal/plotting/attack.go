package plotting

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Attack is how an attacked point is shown: a star with an arrow to its nearest adversarial
// example, in the ball that is free of other labels.
type Attack struct {
	Name string    // of the point, in the key
	Size vg.Length // radius of the star
}

// AddTo adds the attack on x, whose example is at the ℓ∞ distance, to the panel.
func (a Attack) AddTo(p *Panel, x, example []float64, distance float64) {
	from, to := plotter.XY{X: x[0], Y: x[1]}, plotter.XY{X: example[0], Y: example[1]}
	p.Add(&Ball{Center: from, Radius: distance}, &Arrow{From: from, To: to}, a.star(plotter.XYs{from}))
}

// Key explains what AddTo adds.
func (a Attack) Key() []Entry {
	return []Entry{
		{Text: a.Name, Icons: []plot.Thumbnailer{a.star(nil)}},
		{Text: "to its nearest adversarial example", Icons: []plot.Thumbnailer{&Arrow{}}},
		{Text: "ℓ∞ ball free of the other label", Icons: []plot.Thumbnailer{&Ball{}}},
	}
}

func (a Attack) star(xys plotter.XYs) *Points {
	return &Points{XYs: xys, Shape: Star, Color: Ink, Radius: a.Size}
}
