import { execFileSync } from 'node:child_process'
import { uploadFile } from '#contracts/http/assets.ts'
import { createTasks, detectionTask } from '#contracts/http/detection/tasks.ts'
import type { BodyInputOf } from '#contracts/http/endpoint.ts'
import { type Api, apiWith } from '#tests/support/api.ts'
import { ACCOUNTS, type AccountName } from './accounts.ts'
import { expect, URL_OF_SERVER } from './console.ts'

/** What a script of the customer does with packages, through the same doors as the console. */
export type Packages = {
  readonly api: Api
  /** The id of the uploaded file. */
  upload(name: string, bytes: Uint8Array, fields?: Readonly<Record<string, string>>): Promise<string>
  /** The id of the task that examines them. */
  ask(body: BodyInputOf<typeof createTasks>): Promise<string>
  /** The id of a task that has ended. */
  detected(body: BodyInputOf<typeof createTasks>): Promise<string>
}

/** A new access token of the account. */
export function tokenOf(account: AccountName, scopes: readonly string[]): string {
  const env = { ...process.env, APPWARDEN_DATA: process.env['E2E_DATA'] }
  const args = ['token', 'create', '--user', ACCOUNTS[account].username, '--scopes', scopes.join(',')]
  const said = execFileSync(process.execPath, ['dist/node/cli.js', ...args], { env, encoding: 'utf8' })
  return /aw_at_[\w-]+/.exec(said)?.[0] ?? ''
}

/** As the account, with an access token of its own. */
export function packagesOf(account: AccountName, scopes: readonly string[]): Packages {
  const token = tokenOf(account, scopes)
  const api = apiWith(URL_OF_SERVER, token)
  const ask: Packages['ask'] = async (body) => (await api(createTasks, { body })).data[0]?.id ?? ''
  return {
    api,
    async upload(name, bytes, fields = {}) {
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.set(key, value)
      form.set('file', new Blob([new Uint8Array(bytes)]), name)
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(URL_OF_SERVER + uploadFile.path, { method: 'POST', body: form, headers })
      const body = (await answer.json()) as { file_object?: { id: string }; codemsg: string }
      expect(body.file_object, body.codemsg).toBeTruthy()
      return body.file_object?.id ?? ''
    },
    ask,
    async detected(body) {
      const id = await ask(body)
      await expect
        .poll(async () => (await api(detectionTask, { query: { id, after: 0 } })).data.state, { timeout: 60_000 })
        .toMatch(/detected|failed/)
      return id
    },
  }
}
