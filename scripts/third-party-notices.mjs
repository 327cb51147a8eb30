// Notices of everything that is shipped. As a program (`npm run notices`) it writes docs/third-party.md, the table; the package holds the
// licence texts in full (THIRD-PARTY-NOTICES.txt). NOTICE names the sources of data.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { componentsOf } from './product-sbom.mjs'

const LICENSE_FILE = /^(licen[cs]e|copying|notice|copyright)/i
/** A package of libraries under several licences holds no licence text, but names each of them in its README. */
const LIBVIPS = /^@img\/sharp-libvips-/
const POSTGRES = `PostgreSQL License: Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group;
Portions Copyright (c) 1994, The Regents of the University of California.
Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a written
agreement is hereby granted, provided that the above copyright notice and this paragraph and the following two paragraphs appear in all copies.
IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL DAMAGES,
INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED
OF THE POSSIBILITY OF SUCH DAMAGE.
THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS" BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO
OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.
The bundled server links OpenSSL 1.1 (OpenSSL and SSLeay licences), ICU (Unicode licence), libxml2 (MIT), zlib (Zlib), lz4 (BSD-2-Clause) and zstd (BSD-3-Clause).`

/** Licence texts, each once, above it every package that it applies to. */
export function noticesOf(top, components) {
  const byText = new Map()
  for (const { path, name, version, license } of components) {
    const files = readdirSync(join(top, path), { withFileTypes: true })
      .filter((file) => file.isFile() && LICENSE_FILE.test(file.name))
      .map((file) => file.name)
    const texts = files.map((file) => readFileSync(join(top, path, file), 'utf8').trim())
    if (LIBVIPS.test(name)) texts.push(...libvipsTexts(join(top, path)))
    const text = texts.join('\n\n') || `${license}, as its package.json states; the package holds no licence text.`
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const node = ['/usr/share/doc/nodejs/LICENSE', join(process.execPath, '../../LICENSE')].find(existsSync)
  byText.set(node ? readFileSync(node, 'utf8').trim() : 'MIT; https://github.com/nodejs/node/blob/main/LICENSE', [
    `Node.js ${process.versions.node}`,
  ])
  byText.set(POSTGRES, ['PostgreSQL'])
  const line = '='.repeat(100)
  return [...byText].map(([text, names]) => `${line}\n${names.join('\n')}\n${line}\n\n${text}\n`).join('\n')
}

/** What the package says of its libraries, and the licence that asks for its own text: LGPL-3.0, which adds to GPL-3.0. */
function libvipsTexts(folder) {
  const licence = (file) => readFileSync(new URL(`licences/${file}`, import.meta.url), 'utf8').trim()
  return [readFileSync(join(folder, 'README.md'), 'utf8').trim(), licence('LGPL-3.0.txt'), licence('GPL-3.0.txt')]
}

/** The table of the repository: package, version, licence, and a remark where the licence asks for more than a notice. */
export function tableOf(components) {
  const remarkOf = (license) => {
    if (/LGPL/.test(license)) return ' unchanged; a shared library, which may be replaced; source: its repository |'
    return /MPL/.test(license) ? ' unchanged; source: its repository, named in its package.json |' : ' |'
  }
  const rows = components.map(
    ({ name, version, license }) => `| ${name} | ${version} | ${license} |${remarkOf(license)}`,
  )
  return `# Third-party packages

Every package that is shipped, inside a bundle or beside it. Written by \`npm run notices\`; do not edit. The delivered archive holds the
licence texts (THIRD-PARTY-NOTICES.txt) and a CycloneDX bill of materials (sbom.cdx.json). Data and its sources: [NOTICE](../NOTICE).
Also shipped: Node.js (MIT and the licences of its parts) and PostgreSQL (PostgreSQL License). Packages under MPL-2.0 are shipped unchanged
and used at run time; their source is offered by their own repositories.

| package | version | licence | remark |
|---|---|---|---|
${[...new Set(rows)].join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const top = fileURLToPath(new URL('..', import.meta.url))
  writeFileSync(join(top, 'docs/third-party.md'), tableOf(componentsOf(top)))
}
