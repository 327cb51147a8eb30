import { edgeOf, fillOf, INK, TONE_COLORS } from './report-colors.ts'
import { CODE_FONT, REPORT_FONT } from './report-fonts.ts'

/** The typst program of every report. Its data is JSON beside it: texts can never become markup. */
export const REPORT_TEMPLATE = `
#let d = json("document.json")
#let zh = d.language == "zh"
#let tones = (${Object.entries(TONE_COLORS)
  .map(([tone, color]) => `${tone}: rgb("#${color}")`)
  .join(', ')})
#let edges = (${(['high', 'middle', 'low', 'info'] as const).map((tone) => `${tone}: rgb("#${edgeOf(tone)}")`).join(', ')})
#let fills = (${(['high', 'middle', 'low', 'info'] as const).map((tone) => `${tone}: rgb("#${fillOf(tone)}")`).join(', ')})
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
#show heading.where(level: 2): it => { v(1.5em, weak: true); block(text(11.5pt, weight: "bold", it), below: .7em, sticky: true) }
#show heading.where(level: 3): it => block(text(10pt, weight: "bold", it), below: .6em, sticky: true)

#let bar(parts, height) = grid(columns: parts.map(p => calc.max(p.at(0), .001) * 1fr), column-gutter: 1.5pt, ..parts.map(p => rect(width: 100%, height: height, fill: p.at(1), stroke: p.at(2))))
#let hatch = tiling(size: (4pt, 4pt), line(start: (0pt, 4pt), end: (4pt, 0pt), stroke: .6pt + ink))
#let title(name, note) = block(above: 2.6em, below: 1em, grid(columns: (1fr, auto), align: bottom, text(11.5pt, weight: "bold", name), text(8pt, fill: quiet, note)))
#let stamp(tone) = box(width: 44pt, height: 44pt, {
  let c = tones.at(tone)
  place(polygon(stroke: 2.6pt + c, (13pt, 1.5pt), (31pt, 1.5pt), (42.5pt, 13pt), (42.5pt, 31pt), (31pt, 42.5pt), (13pt, 42.5pt), (1.5pt, 31pt), (1.5pt, 13pt)))
  let stroke = (paint: c, thickness: 3.6pt, cap: "round")
  if tone == "bad" { place(line(start: (15pt, 15pt), end: (29pt, 29pt), stroke: stroke)); place(line(start: (29pt, 15pt), end: (15pt, 29pt), stroke: stroke)) }
  else if tone == "good" { place(line(start: (13pt, 22.5pt), end: (19.5pt, 29pt), stroke: stroke)); place(line(start: (19.5pt, 29pt), end: (31pt, 15.5pt), stroke: stroke)) }
  else { place(line(start: (14pt, 22pt), end: (30pt, 22pt), stroke: stroke)) }
})
#let page-of(anchor) = if anchor != none { context {
  let to = label("item:" + anchor)
  let found = query(to)
  if found.len() > 0 {
    let n = str(counter(page).at(found.first().location()).first())
    link(found.first().location(), text(fill: blue, if zh { "第 " + n + " 页" } else { "page " + n }))
  }
} }

#if "front" not in d {
  if d.logo { image("logo.png", height: 1.6cm) }
  v(5.2cm)
  text(26pt, weight: "bold", d.title)
  v(.1cm)
  text(15pt, fill: quiet, d.subject)
  v(1.4cm)
  line(length: 100%, stroke: hair)
  v(.3cm)
  grid(columns: (3.2cm, 1fr), row-gutter: .8em, ..d.cover.map(f => (text(fill: quiet, f.label), f.text)).flatten())
  v(1fr)
  text(fill: quiet, d.issuer)
  if d.footer != "" { text(fill: quiet, d.footer) }
} else {
  let f = d.front
  grid(columns: (1fr, auto), align: horizon, if d.logo { image("logo.png", height: 1cm) } else { text(11pt, weight: "bold", d.issuer) }, text(8pt, fill: quiet, d.cover.last().text))
  v(.9cm)
  text(21pt, weight: "bold", d.subject)
  v(-.2cm)
  par(code(d.cover.at(1).text, size: 8.5pt) + h(1.2em) + text(fill: quiet, d.cover.at(3).text) + h(1.2em) + text(fill: quiet, d.cover.at(6).text))
  text(fill: quiet, d.title)
  v(.5cm)
  line(length: 100%, stroke: 1pt + ink)
  grid(columns: (1fr, 1.05fr), inset: (y: 8pt), align: horizon,
    grid(columns: (auto, 1fr), column-gutter: 12pt, align: horizon, stamp(f.verdict.tone),
      stack(spacing: 8pt, text(if zh { 25pt } else { 16pt }, weight: "bold", fill: tones.at(f.verdict.tone), f.verdict.text), text(fill: quiet, f.verdict.note))),
    block(stroke: (left: hair), inset: (left: 14pt, y: 2pt), width: 100%, {
      text(8pt, fill: quiet, f.gateTitle)
      v(.1em)
      grid(columns: (14pt, 1fr, auto), row-gutter: 9pt, align: (left, left, right),
        ..f.conditions.map(c => (
          text(weight: "bold", fill: tones.at(if c.met { "good" } else { "bad" }), if c.met { "✓" } else { "✕" }), c.text,
          text(weight: if c.met { "regular" } else { "bold" }, fill: if c.met { ink } else { tones.bad }, c.now))).flatten())
    }))
  line(length: 100%, stroke: 1pt + ink)

  title(f.score.title, "")
  grid(columns: (auto, 1fr), align: (left + bottom, right + bottom),
    text(34pt, weight: "bold", str(f.score.value)) + h(4pt) + text(11pt, fill: quiet, "/ 100"),
    f.score.counts.map(c => box(mark(c.level) + h(.4em) + c.word + " " + text(weight: "bold", str(c.count)))).join(h(1.4em)))
  let parts = ((f.score.value, ink, none),) + f.score.taken.map(t => (t.points, fills.at(t.level), .5pt + edges.at(t.level)))
  v(.1em)
  bar(parts, 14pt)
  v(-.1em)
  grid(columns: parts.map(p => calc.max(p.at(0), .001) * 1fr), column-gutter: 1.5pt, text(8pt, weight: "bold", box(width: 2cm, f.score.left)), ..f.score.taken.map(t => align(center, text(8pt, t.text))))

  title(f.first.title, f.first.note)
  grid(columns: (16pt, 16pt, 1fr, 1.5fr, auto, auto), inset: (x, y) => (left: if x > 1 { 6pt } else { 0pt }, y: 7pt), align: (x, y) => if x > 3 { right + top } else { left + top }, stroke: (x, y) => (bottom: hair),
    ..f.first.rows.enumerate().map(((n, r)) => (text(weight: "bold", fill: quiet, str(n + 1)), mark(r.level), text(weight: "bold", r.name), r.advice, r.gain, page-of(r.anchor))).flatten())

  title(f.coverage.title, f.coverage.note)
  let shade = (pass: rgb("#138a5b"), fail: ink, rest: rgb("#c9d2de"), open: hatch)
  let seen = f.coverage.parts.filter(p => p.count > 0)
  let all = f.coverage.parts.map(p => p.count).sum()
  bar(seen.map(p => (calc.max(p.count, all * .012), shade.at(p.kind), if p.kind == "open" { .5pt + ink } else { none })), 7pt)
  v(.1em)
  f.coverage.parts.map(p => box(box(baseline: 5%, rect(width: 6pt, height: 6pt, fill: shade.at(p.kind), stroke: if p.kind == "open" { .4pt + ink } else { none })) + h(.4em) + text(weight: "bold", str(p.count)) + " " + p.word)).join(h(1.6em))

  v(1fr)
  grid(columns: (1.5fr, ..f.signatures.map(s => 1fr)), column-gutter: 14pt, align: bottom,
    stack(spacing: 5pt, text(8pt, fill: quiet, f.file.label), code(f.file.sha256.slice(0, 32), size: 7pt), code(f.file.sha256.slice(32), size: 7pt)),
    ..f.signatures.map(s => stack(spacing: 5pt, text(8pt, fill: quiet, s.label), v(12pt), text(8.5pt, s.name), line(length: 100%, stroke: .6pt + ink), text(8pt, fill: quiet, f.signHere))))
  v(.5cm)
  line(length: 100%, stroke: hair)
  text(8pt, fill: quiet, d.issuer + if d.footer != "" { " · " + d.footer })
}
#pagebreak()
#outline(title: if zh { "目录" } else { "Contents" }, depth: 1, indent: 1em)

#let cell(c) = if type(c) == str { c } else { toned(c.tone, text(weight: "bold", c.text)) }
#for b in d.blocks {
  if b.kind == "heading" { if "anchor" in b [#heading(level: b.level, b.text) #label("item:" + b.anchor)] else { heading(level: b.level, b.text) } }
  else if b.kind == "text" { par(text(fill: if "tone" in b { tones.at(b.tone) } else { ink }, b.text)) }
  else if b.kind == "labelled" {
    block(above: .8em, below: .8em, breakable: false, sticky: "tone" in b, grid(columns: (2.4cm, 1fr), text(fill: quiet, b.label), if "tone" in b { toned(b.tone, b.text) } else { b.text }))
  }
  else if b.kind == "links" {
    block(above: .7em, below: .9em, grid(columns: (2.4cm, 1fr), text(fill: quiet, b.label), b.links.map(l => if l.url == none { l.text } else { link(l.url, box(text(fill: blue, l.text))) }).join(h(1em))))
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
      if b.location != "" { par(code(text(weight: "bold", b.location))) }
      if b.note != "" { par(text(8pt, fill: quiet, b.note)) }
      for line in b.lines { par(code(line)) }
    })
  }
}
`
