// Package plotting draws the figures of the examples on top of gonum/plot:
// decision regions with sharp borders, labelled points, arrows, and panels side
// by side above a common key.
//
// A Figure is made of panels, each a plot.Plot to which anything that gonum/plot
// draws can be added. Figure.Save writes it as PNG or SVG, complete or not at
// all. Text is written in Unicode: ₁, ³ and the letter behind ℓ become subscripts and superscripts.
//
// Colours are those of Okabe and Ito ("Color universal design", 2008), which
// remain apart in every common form of colour blindness; points of different
// labels differ in shape as well, for prints without colour.
package plotting
