// Faults inside the product's processes, loaded into them by tests/fault alone (NODE_OPTIONS=--import): what node:fs does below a folder
// fails with a code of the system, and the clock is shifted. The file FAULT_CONTROL says what is on (fault-control.ts writes it):
//   { "files": { "folder": "/…/journal", "code": "EIO" } | null, "clockMs": -3600000 }
// The first call that fails writes FAULT_CONTROL.hit, so that a fault that reached no process counts as a failure.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { constants } from 'node:os'
import { resolve, sep } from 'node:path'

const control = process.env.FAULT_CONTROL
const LOOK_MS = 20
const { readFileSync, writeFileSync, readlinkSync, existsSync } = fs
const RealDate = Date
const realNow = Date.now

let state = { files: null, clockMs: 0 }
let text = ''
let lookedAt = Number.NEGATIVE_INFINITY
function current() {
  const at = performance.now()
  if (at - lookedAt < LOOK_MS) return state
  lookedAt = at // before the read, which comes through here again
  try {
    const now = readFileSync(control, 'utf8')
    if (now !== text) state = JSON.parse(now)
    text = now
  } catch {
    // Replaced at this moment: the next look reads it.
  }
  return state
}

// ---------------------------------------------------------------------------------------------------------------- clock

const shiftedNow = () => realNow() + current().clockMs
RealDate.now = shiftedNow
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, made),
  apply: () => new RealDate(shiftedNow()).toString(),
})

// ---------------------------------------------------------------------------------------------------------------- files

/** Kinds of calls that a fault of the disk refuses. EIO refuses all of them. */
const REFUSED = {
  ENOSPC: new Set(['create', 'write', 'room']),
  EROFS: new Set(['create', 'reopen', 'write', 'change']),
}

/** The error that a call of this kind answers now; undefined: it goes through. `place`: path, file descriptor or URL. */
function refusal(kind, place, call) {
  const { files } = current()
  if (!files || kind === undefined || (REFUSED[files.code] && !REFUSED[files.code].has(kind))) return undefined
  const path = pathOf(place)
  if (path !== files.folder && !path.startsWith(files.folder + sep)) return undefined
  if (!existsSync(`${control}.hit`)) writeFileSync(`${control}.hit`, `${call} ${path}`)
  const error = new Error(`${files.code}: injected by tests/fault, ${call} '${path}'`)
  return Object.assign(error, { code: files.code, errno: -constants.errno[files.code], syscall: call, path })
}

function pathOf(place) {
  if (typeof place === 'number') {
    try {
      return readlinkSync(`/proc/self/fd/${place}`)
    } catch {
      return ''
    }
  }
  return resolve(place instanceof URL ? place.pathname : String(place))
}

function openKind(path, flags = 'r') {
  const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants
  const creates = typeof flags === 'number' ? flags & O_CREAT : /[wa]/.test(flags)
  if (creates && !existsSync(path)) return 'create'
  const writes = typeof flags === 'number' ? flags & (O_WRONLY | O_RDWR) : /[wa+]/.test(flags)
  return writes ? 'reopen' : 'read'
}

/** What a call by its name does: kind and place from its arguments. */
const CALLS = {
  open: (path, flags) => [openKind(path, flags), path],
  read: (fd) => ['read', fd],
  readFile: (path) => ['read', path],
  write: (fd) => ['write', fd],
  writev: (fd) => ['write', fd],
  writeFile: (path) => ['write', path],
  appendFile: (path) => ['write', path],
  fsync: (fd) => ['write', fd],
  fdatasync: (fd) => ['write', fd],
  ftruncate: (fd) => ['change', fd],
  mkdir: (path) => [existsSync(path) ? undefined : 'create', path],
  rename: (_from, to) => ['change', to],
  unlink: (path) => ['change', path],
  rm: (path) => ['change', path],
  copyFile: (_from, to) => ['write', to],
  link: (_from, to) => ['create', to],
}
for (const [name, what] of Object.entries(CALLS)) {
  const { [name]: call, [`${name}Sync`]: callSync } = fs
  fs[name] = (...args) => {
    const error = refusal(...what(...args), name)
    if (error) process.nextTick(args.at(-1), error)
    else call(...args)
  }
  // Node's own code asks for these (util.promisify and the like).
  for (const symbol of Object.getOwnPropertySymbols(call)) fs[name][symbol] = call[symbol]
  fs[`${name}Sync`] = (...args) => {
    const error = refusal(...what(...args), name)
    if (error) throw error
    return callSync(...args)
  }
  const promised = fs.promises[name]
  if (promised)
    fs.promises[name] = async (...args) => {
      // A FileHandle in place of a path asks through its own methods.
      const error = typeof args[0] === 'object' && 'fd' in args[0] ? undefined : refusal(...what(...args), name)
      if (error) throw error
      return promised(...args)
    }
}

const statfs = fs.promises.statfs
fs.promises.statfs = async (path, ...rest) => {
  const answer = await statfs(path, ...rest)
  return current().files?.code === 'ENOSPC' && refusal('room', path, 'statfs')
    ? Object.assign(answer, { bavail: 0, bfree: 0 })
    : answer
}

const some = await fs.promises.open('/dev/null')
const handle = Object.getPrototypeOf(some)
await some.close()
const METHODS = {
  read: 'read',
  readv: 'read',
  readFile: 'read',
  write: 'write',
  writev: 'write',
  writeFile: 'write',
  appendFile: 'write',
  sync: 'write',
  datasync: 'write',
  truncate: 'change',
}
for (const [name, kind] of Object.entries(METHODS)) {
  const method = handle[name]
  handle[name] = async function (...args) {
    const error = refusal(kind, this.fd, name)
    if (error) throw error
    return method.apply(this, args)
  }
}
syncBuiltinESMExports()
