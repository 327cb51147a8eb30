import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const AccountSchema = z.object({ username: z.string(), password: z.string() })
/** Written by the server at the first start of a demo: who may sign in, and an access token of the administrator. */
const AccountsSchema = z.object({ administrator: AccountSchema, analyst: AccountSchema, token: z.string() })
export type DemoAccounts = z.infer<typeof AccountsSchema>

const StateSchema = z.object({
  apps: z.array(
    z.object({
      appid: z.string(),
      key: z.string(),
      importKey: z.string(),
      enrolmentKey: z.string(),
      platform: z.enum(['android', 'ios']),
      name: z.string(),
    }),
  ),
  displayToken: z.string(),
})
/** What the demo made, secrets included: the product shows them once, so they are kept here (0600) for the next start. */
export type DemoState = z.infer<typeof StateSchema>

/** Waits until the server wrote the file; throws after a minute. */
export async function readAccounts(folder: string): Promise<DemoAccounts> {
  const file = join(folder, 'demo-accounts.json')
  for (const giveUp = Date.now() + 60_000; ; ) {
    try {
      return AccountsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch (cause) {
      if (Date.now() > giveUp) throw new Error(`${file} is not there or not readable`, { cause })
      await new Promise((wake) => setTimeout(wake, 200))
    }
  }
}

export function readState(folder: string): DemoState | undefined {
  try {
    return StateSchema.parse(JSON.parse(readFileSync(join(folder, 'demo-state.json'), 'utf8')))
  } catch {
    return undefined
  }
}

export function writeState(folder: string, state: DemoState): void {
  const file = join(folder, 'demo-state.json')
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
