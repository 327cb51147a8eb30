import { hash, verify } from '@node-rs/argon2'
import { log } from '#runtime/log.ts'

/** argon2id (the package's default), 64 MiB, three passes: about 90 ms of one core. Two at a time, so that a flood of sign-ins cannot take the machine. */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const
const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((turn) => waiting.push(turn))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** The stored form of a password: NFC, so that a keyboard which sends composed letters and one which does not give the same hash. */
export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password.normalize('NFC'), COST))
}

let decoy: Promise<string> | undefined

/**
 * Whether the password is this account's, and in which form: `nfc`, or `raw` where the stored hash was made of the characters exactly as
 * they were typed (older versions did not normalise); the caller then stores a new hash. Takes the same time where there is no account
 * (`stored` undefined) or no password yet (''): the result is false.
 */
export async function checkPassword(stored: string | undefined, password: string): Promise<'nfc' | 'raw' | false> {
  decoy ??= hashPassword('no account has this password')
  const against = stored || (await decoy)
  const fits = (text: string) =>
    limited(() => verify(against, text)).catch((err: unknown) => {
      log.error({ err }, 'sign-in: a stored password cannot be compared')
      return false
    })
  const normal = password.normalize('NFC')
  let match: 'nfc' | 'raw' | false = false
  if (await fits(normal)) match = 'nfc'
  else if (normal !== password && (await fits(password))) match = 'raw'
  return Boolean(stored) && match
}
