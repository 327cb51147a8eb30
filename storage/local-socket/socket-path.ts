import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** A Unix socket address holds at most 107 bytes on Linux and 103 elsewhere (sun_path, without the final NUL). */
const MAX_ADDRESS_BYTES = 103
/** Bytes left for the name of a socket inside its folder. */
const MAX_NAME_BYTES = 32
const MAX_FOLDER_BYTES = MAX_ADDRESS_BYTES - MAX_NAME_BYTES - 1

/** Symbolic link inside a folder whose path is too long: it names the runtime folder that holds the sockets instead. */
const LINK = 'sockets'
/** File inside a runtime folder: the folder that it replaces. */
const OWNER = 'owner'
const PREFIX = 'appwarden-run-'
/** A runtime folder is created a moment before the link to it. */
const STALE_MS = 60_000

/**
 * The address to listen at for the wanted socket path. Its folder exists afterwards, with mode 0700. Where the path is too long for a
 * socket, the address lies in a short runtime folder that `findSocket` finds from the same path, in any process and environment.
 * Throws Error where no folder can be made, or where the runtime folder belongs to another account.
 */
export function prepareSocket(path: string): string {
  const full = resolve(path)
  return join(prepareSocketFolder(dirname(full)), checkedName(full))
}

/** The address to connect to for the wanted socket path. Follows the link of `prepareSocket`, so ask again for each connection. */
export function findSocket(path: string): string {
  const full = resolve(path)
  const folder = dirname(full)
  if (fits(folder)) return full
  // Without a link nothing listens yet: connecting to a path that does not exist says so (ENOENT).
  return join(linkedFolder(folder) ?? '/nonexistent', checkedName(full))
}

/** A folder (0700, our own) in which a socket name of up to 32 bytes makes a valid address; see `prepareSocket`. */
export function prepareSocketFolder(folder: string): string {
  const full = resolve(folder)
  mkdirSync(full, { recursive: true, mode: 0o700 })
  if (fits(full)) return full
  const linked = linkedFolder(full)
  if (linked && replaces(linked, full)) return linked
  removeStaleFolders()
  // A link that is left over points to a folder that is gone (restart of the machine) or belongs to a copy of this data folder.
  if (linked) rmSync(join(full, LINK), { force: true })
  const created = mkdtempSync(join(shortBase(), PREFIX)) // 0700 by definition
  writeFileSync(join(created, OWNER), full, { mode: 0o600 })
  try {
    symlinkSync(created, join(full, LINK))
    return created
  } catch (error) {
    rmSync(created, { recursive: true })
    const winner = linkedFolder(full) // another process of this installation was faster
    if (winner && replaces(winner, full)) return winner
    throw error
  }
}

/** Removes the runtime folder of `folder` when no socket is left in it. Call it after the last socket there was closed. */
export function releaseSocketFolder(folder: string): void {
  const full = resolve(folder)
  const linked = fits(full) ? undefined : linkedFolder(full)
  if (!linked) return
  try {
    if (readdirSync(linked).some((name) => name !== OWNER)) return
    unlinkSync(join(linked, OWNER))
    rmdirSync(linked)
    unlinkSync(join(full, LINK))
  } catch {
    // Another process of this installation listens there again, or removed it first.
  }
}

function checkedName(path: string): string {
  const name = basename(path)
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(`Socket name of more than ${MAX_NAME_BYTES} bytes: ${name}`)
  return name
}

function fits(folder: string): boolean {
  return Buffer.byteLength(folder) <= MAX_FOLDER_BYTES
}

function linkedFolder(folder: string): string | undefined {
  try {
    return readlinkSync(join(folder, LINK))
  } catch {
    return undefined // no link
  }
}

/** A folder under a temporary folder is trusted only when this account owns it, others cannot enter it and it is not a link. */
function replaces(folder: string, wanted: string): boolean {
  try {
    const found = lstatSync(folder)
    const ours = process.getuid === undefined || found.uid === process.getuid()
    return (
      found.isDirectory() && ours && (found.mode & 0o077) === 0 && readFileSync(join(folder, OWNER), 'utf8') === wanted
    )
  } catch {
    return false // another one is made
  }
}

/** Not XDG_RUNTIME_DIR: that folder disappears at log-out, while a server keeps running. */
function shortBase(): string {
  const room = MAX_FOLDER_BYTES - PREFIX.length - 7
  return Buffer.byteLength(tmpdir()) <= room ? tmpdir() : '/tmp'
}

/** Runtime folders whose data folder is gone (deleted, or a test's) or has another one by now. */
function removeStaleFolders(): void {
  const base = shortBase()
  for (const name of readdirSync(base)) {
    const folder = join(base, name)
    if (!name.startsWith(PREFIX)) continue
    try {
      const owner = readFileSync(join(folder, OWNER), 'utf8') // another account's folder cannot be read
      if (linkedFolder(owner) !== folder && Date.now() - lstatSync(folder).mtimeMs > STALE_MS)
        rmSync(folder, { recursive: true })
    } catch {
      // Being created by another process at this moment, or already removed by one.
    }
  }
}
