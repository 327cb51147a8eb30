import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GROUP_REDIRECTS, PAGES, type PageName, pageOf } from '#contracts/pages.ts'
import { pagePolicy } from './security-headers.ts'

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  geojson: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
}
const COMPRESSED = new Set(['html', 'js', 'mjs', 'css', 'json', 'geojson', 'svg', 'wasm', 'txt'])
/** Of the build, and not served (vite.chunks.ts). */
const PAGE_FILES = '/page-files.json'
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

type Encoding = 'br' | 'gzip' | 'identity'
type StaticFile = {
  content: () => Buffer
  extension: string
  /** Bytes by encoding, made at first use and kept: the build is small and does not change under a running server. */
  bytes: Map<Encoding, Promise<Buffer>>
  etag: string
  immutable: boolean
}

/**
 * Serves the built web folder from a table made at start, so no request can name anything else. Answers false for unknown paths. A page
 * names the files that it loads, by what the build wrote of it: the browser requests all of them at once, not those of a file after that
 * file has run.
 */
export function makeStaticFiles(folder: string): {
  /** Sends the file, or index.html for a page's path. `isSignedIn` guesses which page follows. False where it is neither. */
  serve(request: FastifyRequest, reply: FastifyReply, isSignedIn: boolean): Promise<boolean>
} {
  const files = listFiles(folder)
  const index = files.get('/index.html')
  const html = index?.content().toString('utf8') ?? ''
  const policy = index ? pagePolicy(html) : ''
  const needs = files.get(PAGE_FILES)
  const pageFiles: Partial<Record<PageName, string[]>> = needs ? JSON.parse(needs.content().toString('utf8')) : {}
  files.delete(PAGE_FILES)
  const pages = new Map<PageName, StaticFile>()

  function pageAt(path: string, isSignedIn: boolean): StaticFile | undefined {
    const page = followingPage(path, isSignedIn)
    const needed = pageFiles[page]
    if (!index || !needed) return index
    let file = pages.get(page)
    if (!file) {
      const content = Buffer.from(html.replace('</head>', `${needed.map(preload).join('')}</head>`))
      file = { content: () => content, extension: 'html', bytes: new Map(), etag: etagOf(content), immutable: false }
      pages.set(page, file)
    }
    return file
  }

  return {
    async serve(request, reply, isSignedIn) {
      const path = decode((request.raw.url ?? '/').split('?')[0] as string)
      // A page's path has no extension in its last part; a missing script must not be answered with a page.
      const isPage = path === '/index.html' || (!files.has(path) && !/\.\w+$/.test(path))
      const file = isPage ? pageAt(path, isSignedIn) : files.get(path)
      if (!file) return false
      const encoding = COMPRESSED.has(file.extension) ? pick(request.headers['accept-encoding']) : 'identity'
      reply
        .type(TYPES[file.extension] ?? 'application/octet-stream')
        .header('etag', file.etag)
        .header('vary', isPage ? 'accept-encoding, cookie' : 'accept-encoding')
        .header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (isPage) reply.header('content-security-policy', policy)
      if (request.headers['if-none-match'] === file.etag) {
        reply.status(304).send()
        return true
      }
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      reply.send(await read(file, encoding))
      return true
    },
  }
}

/** What the guard most probably shows: a wall has no session, and everything else without one leads to the login page. */
function followingPage(path: string, isSignedIn: boolean): PageName {
  const page = pageOf(path) ?? GROUP_REDIRECTS[path]
  return page && (isSignedIn || PAGES[page].bare) ? page : isSignedIn ? 'home' : 'login'
}

function preload(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`
}

function read(file: StaticFile, encoding: Encoding): Promise<Buffer> {
  let bytes = file.bytes.get(encoding)
  if (!bytes) {
    const plain = file.content()
    const level = { params: { [constants.BROTLI_PARAM_QUALITY]: plain.length > 1_000_000 ? 5 : 9 } }
    bytes = encoding === 'br' ? brotli(plain, level) : encoding === 'gzip' ? zip(plain) : Promise.resolve(plain)
    file.bytes.set(encoding, bytes)
  }
  return bytes
}

function pick(accepted: string | string[] | undefined): Encoding {
  const names = String(accepted ?? '')
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim())
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
}

function listFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  let entries: string[]
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return files // no web build: a role without console, or a test
  }
  for (const path of entries) {
    const name = `/${relative(folder, path).split(sep).join('/')}`
    files.set(name, {
      content: () => readFileSync(path),
      extension: /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '',
      bytes: new Map(),
      etag: etagOf(readFileSync(path)),
      immutable: /^\/assets\/.*-[\w-]{8}\.\w+$/.test(name),
    })
  }
  return files
}

function etagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // names no file
  }
}
