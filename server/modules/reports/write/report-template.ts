import { edgeOf, INK, TONE_COLORS } from './report-colors.ts'
import { CODE_FONT, REPORT_FONT } from './report-fonts.ts'

/** The typst program of every report. Its data is JSON beside it: texts can never become markup. */
export const REPORT_TEMPLATE = `
#let d = json("document.json")
#let zh = d.language == "zh"
#let tones = (${Object.entries(TONE_COLORS)
  .map(([tone, color]) => `${tone}: rgb("#${color}")`)
  .join(', ')})
#let edges = (${(['high', 'middle', 'low', 'info'] as const).map((tone) => `${tone}: rgb("#${edgeOf(tone)}")`).join(', ')})
#let ink = rgb("#${INK}")
#let code(body, size: 7.5pt) = text(font: ("${CODE_FONT}", "${REPORT_FONT}"), size: size, ligatures: false, features: (calt: 0), body)
// A place to break that is no character: nothing but the name itself is found and copied.
#show "\\u{200b}": h(.001pt)
#let mark(tone) = box(baseline: 8%, image(tone + ".svg", height: .8em))
#let toned(tone, body) = if tone in edges { mark(tone) + h(.4em) + body } else { text(fill: tones.at(tone), body) }
#let blue = rgb("#1661c4")
#let quiet = rgb("#5b6b7f")
#let hair = .5pt + rgb("#d5dce6")
#set document(title: d.title + " " + d.subject, author: d.issuer, date: datetime(year: d.day.at(0), month: d.day.at(1), day: d.day.at(2)))
#set page(
  paper: "a4", margin: (x: 1.9cm, top: 2.2cm, bottom: 1.9cm),
  header: context if counter(page).get().first() > 1 {
    set text(8pt, fill: quiet)
    stack(spacing: 4pt, grid(columns: (1fr, auto), d.title, d.subject), line(length: 100%, stroke: hair))
  },
  footer: context if counter(page).get().first() > 1 {
    set text(8pt, fill: quiet)
    let (now, all) = (str(counter(page).get().first()), str(counter(page).final().first()))
    grid(columns: (1fr, auto), if d.footer == "" { d.issuer } else { d.issuer + " · " + d.footer }, if zh { "第 " + now + " 页 / 共 " + all + " 页" } else { "Page " + now + " of " + all })
  },
)
#set text(font: "${REPORT_FONT}", size: 9.5pt, fill: ink, lang: d.language, region: if zh { "cn" } else { "us" })
#set par(leading: .75em, spacing: .9em)
#set heading(numbering: "1.1")
#show heading.where(level: 1): it => { v(1.2em, weak: true); block(text(15pt, weight: "bold", it), below: .9em, sticky: true) }
#show heading.where(level: 2): it => { v(.9em, weak: true); block(text(11.5pt, weight: "bold", it), below: .7em, sticky: true) }
#show heading.where(level: 3): it => block(text(10pt, weight: "bold", it), below: .6em, sticky: true)

#if d.logo { image("logo.png", height: 1.6cm) }
#v(5.2cm)
#text(26pt, weight: "bold", d.title)
#v(.1cm)
#text(15pt, fill: quiet, d.subject)
#v(1.4cm)
#line(length: 100%, stroke: hair)
#v(.3cm)
#grid(columns: (3.2cm, 1fr), row-gutter: .8em, ..d.cover.map(f => (text(fill: quiet, f.label), f.text)).flatten())
#v(1fr)
#text(fill: quiet, d.issuer)
#if d.footer != "" { text(fill: quiet, d.footer) }
#pagebreak()
#outline(title: if zh { "目录" } else { "Contents" }, depth: 1, indent: 1em)

#let cell(c) = if type(c) == str { c } else { toned(c.tone, text(weight: "bold", c.text)) }
#for b in d.blocks {
  if b.kind == "heading" { if "anchor" in b [#heading(level: b.level, b.text) #label("item:" + b.anchor)] else { heading(level: b.level, b.text) } }
  else if b.kind == "text" { par(text(fill: if "tone" in b { tones.at(b.tone) } else { ink }, b.text)) }
  else if b.kind == "labelled" {
    block(above: .7em, below: .7em, breakable: false, sticky: "tone" in b, grid(columns: (2.4cm, 1fr), text(fill: quiet, b.label), if "tone" in b { toned(b.tone, b.text) } else { b.text }))
  }
  else if b.kind == "links" {
    block(above: .7em, below: .9em, grid(columns: (2.4cm, 1fr), text(fill: quiet, b.label), b.links.map(l => if l.url == none { l.text } else { link(l.url, text(fill: blue, l.text)) }).join(h(1em))))
  }
  else if b.kind == "facts" {
    block(above: .8em, below: 1em, table(
      columns: (3.4cm, 1fr), stroke: (x, y) => (bottom: hair), inset: (x: 4pt, y: 5pt),
      ..b.rows.map(r => (text(fill: quiet, r.label), r.text)).flatten()))
  }
  else if b.kind == "table" {
    set text(8.5pt)
    set par(leading: .55em)
    table(
      columns: b.columns.map(c => c.share * 1fr),
      align: (x, y) => (if b.columns.at(x).at("align", default: "") == "right" { right } else { left }) + top,
      stroke: (x, y) => (bottom: if y == 0 { .8pt + quiet } else { hair }), inset: (x: 4pt, y: 4.5pt),
      table.header(..b.columns.map(c => text(weight: "bold", fill: quiet, c.title))),
      ..b.rows.map(r => r.map(cell)).flatten())
  }
  else if b.kind == "chart" { figure(image(b.file, width: 100%, alt: b.alt), caption: none) }
  else if b.kind == "verdict" {
    block(fill: tones.at(b.tone).lighten(90%), stroke: (left: 3pt + tones.at(b.tone)), inset: 10pt, width: 100%, above: .6em, below: .8em,
      grid(columns: (auto, 1fr), column-gutter: 1em, text(fill: quiet, b.label), text(13pt, weight: "bold", fill: tones.at(b.tone), b.text)))
  }
  else if b.kind == "evidence" {
    block(fill: rgb("#f5f7fa"), stroke: (left: 3pt + if "tone" in b { edges.at(b.tone) } else { rgb("#${edgeOf(undefined)}") }), inset: (left: 10pt, rest: 7pt), width: 100%, above: .6em, below: .6em, breakable: b.lines.len() > 12, {
      set par(leading: .55em, spacing: .6em)
      par(code(text(weight: "bold", b.location)))
      if b.note != "" { par(text(8pt, fill: quiet, b.note)) }
      for line in b.lines { par(code(line)) }
    })
  }
}
`
