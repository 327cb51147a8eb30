import { createHash } from 'node:crypto'
import type { Language } from '#contracts/errors.ts'
import { sharedFile, sharedReport } from '#contracts/http/reports/sharing.ts'

/**
 * The page of share links, for people without an account: no session, no cookie, no file of the application. It is the same for everybody;
 * its script reads the token behind the #, which no server sees, and takes it out of the address.
 */

const TEXTS = {
  zh: {
    title: '分享的报告',
    wait: '正在读取…',
    password: '密码',
    download: '下载',
    file: '文件',
    size: '大小',
    until: '链接有效期至',
    missing: '链接不完整，请复制完整地址后重新打开。',
    failed: '暂时无法读取，请稍后重试。',
    rate: '尝试过于频繁，请稍后再试。',
    done: '已开始下载。',
    problem: '无法打开',
  },
  en: {
    title: 'Shared report',
    wait: 'Reading…',
    password: 'Password',
    download: 'Download',
    file: 'File',
    size: 'Size',
    until: 'The link works until',
    missing: 'The link is not complete: copy the whole address and open it again.',
    failed: 'It cannot be read now, try again later.',
    rate: 'Too many tries, please wait a moment.',
    done: 'The download has begun.',
    problem: 'It cannot be opened',
  },
} as const

const STYLE = `
:root { color-scheme: light dark; --canvas: #f5f7fa; --surface: #fff; --line: #cdd5df; --text: #1f2d3d; --muted: #5b6b7f; --fill: #1d70d2; --bad: #b3123f }
@media (prefers-color-scheme: dark) { :root { --canvas: #10161e; --surface: #18202b; --line: #3a4656; --text: #e6ecf3; --muted: #a3b1c2; --bad: #ff8fab } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--canvas); color: var(--text); font: 14px/1.6 "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif }
main { width: 100%; max-width: 480px; padding: 28px 32px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface) }
h1 { margin: 0 0 16px; font-size: 20px; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0 0 20px } dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
label { display: block; margin-bottom: 4px } input { width: 100%; height: 36px; margin-bottom: 16px; padding: 0 10px; border: 1px solid var(--line); border-radius: 6px; background: transparent; color: inherit; font: inherit }
button { height: 36px; padding: 0 20px; border: 0; border-radius: 6px; background: var(--fill); color: #fff; font: inherit; cursor: pointer } button:disabled { opacity: .6; cursor: default }
:focus-visible { outline: 2px solid var(--fill); outline-offset: 2px } #problem { color: var(--bad) } [hidden] { display: none !important }
`

function scriptOf(language: Language): string {
  const t = TEXTS[language]
  return `
const t = ${JSON.stringify(t)}
const at = (id) => document.getElementById(id)
const token = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const post = (path, body) => fetch(path, { method: 'POST', credentials: 'omit', referrerPolicy: 'no-referrer', headers: { 'content-type': 'application/json', 'accept-language': ${JSON.stringify(language)} }, body: JSON.stringify(body) })
const isJson = (answer) => (answer.headers.get('content-type') || '').includes('json')
function refuse(text, final) { at('problem').textContent = text; at('problem').hidden = false; at('state').textContent = ''; if (final) { at('title').textContent = t.problem; at('form').hidden = true; at('facts').hidden = true } }
const sizeOf = (bytes) => bytes < 1e6 ? Math.max(1, Math.round(bytes / 1e3)) + ' KB' : (bytes / 1e6).toFixed(1) + ' MB'
async function begin() {
  if (!token) return refuse(t.missing, true)
  const answer = await post(${JSON.stringify(sharedReport.path)}, { token })
  if (answer.status === 429) return refuse(t.rate, true)
  const { code, codemsg, data } = await answer.json()
  if (code !== 0) return refuse(codemsg, true)
  at('state').textContent = ''
  at('title').textContent = data.title
  at('format').textContent = data.format
  at('size').textContent = sizeOf(data.bytes)
  at('until').textContent = new Date(data.expires_at).toLocaleString(${JSON.stringify(language === 'zh' ? 'zh-CN' : 'en-GB')})
  at('password').hidden = !data.has_password
  at('facts').hidden = at('form').hidden = false
}
at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  at('problem').hidden = true
  at('send').disabled = true
  try {
    const answer = await post(${JSON.stringify(sharedFile.path)}, { token, password: at('word').value })
    if (answer.status === 429) return refuse(t.rate, false)
    if (!answer.headers.get('content-disposition')) return isJson(answer) ? refuse((await answer.json()).codemsg, false) : refuse(t.failed, false)
    const name = /filename\\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition'))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await answer.blob())
    link.download = name ? decodeURIComponent(name[1]) : 'report'
    link.click()
    at('state').textContent = t.done
  // The page shows it.
  } catch { refuse(t.failed, false) } finally { at('send').disabled = false }
})
// The page shows it.
begin().catch(() => refuse(t.failed, true))
`
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const MADE = new Map<Language, { html: string; headers: Record<string, string> }>()

/** The page and its headers in a language. */
export function sharedPageOf(language: Language): { html: string; headers: Record<string, string> } {
  const kept = MADE.get(language)
  if (kept) return kept
  const t = TEXTS[language]
  const script = scriptOf(language)
  const html = `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer"><title>${t.title}</title><style>${STYLE}</style></head>
<body><main><h1 id="title">${t.title}</h1><p id="state" role="status">${t.wait}</p><p id="problem" role="alert" hidden></p>
<dl id="facts" hidden><dt>${t.file}</dt><dd id="format"></dd><dt>${t.size}</dt><dd id="size"></dd><dt>${t.until}</dt><dd id="until"></dd></dl>
<form id="form" hidden><div id="password" hidden><label for="word">${t.password}</label><input id="word" type="password" maxlength="64" autocomplete="off"></div>
<button id="send" type="submit">${t.download}</button></form></main><script>${script}</script></body></html>`
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const made = {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    },
  }
  MADE.set(language, made)
  return made
}
