import { hash, verify } from '@node-rs/argon2'

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

export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password, COST))
}

let decoy: Promise<string> | undefined

/** Whether the password is this account's. Takes the same time where there is no account (`stored` undefined): the answer is false. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const against = stored ?? (await decoy)
  const fits = await limited(() => verify(against, password)).catch(() => false)
  return stored !== undefined && fits
}
