import { randomUUID } from 'node:crypto'
import { createApplication } from '#contracts/http/applications.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { eventById } from '#contracts/http/statistics.ts'
import { COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'
import { apiWith } from '#tests/support/api.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'

/**
 * What a browser or a script of a customer does, as a program, since the installation that is tested has a network of its own:
 *   URL sign-in EMAIL PASSWORD CODE   prints the user name or the code of the refusal
 *   URL send TOKEN                    makes an application with a key, posts an event with it; prints "APPID ID"
 *   URL find TOKEN APPID ID           prints "stored" once the event is in the store
 */
const [url = '', what, ...given] = process.argv.slice(2)
if (what === 'sign-in') {
  const [email = '', password = '', code = ''] = given
  const { body } = await new ConsoleClient(url).signIn(email, password, code)
  console.log(body['username'] ?? `refused ${body['code']}`)
} else if (what === 'send') console.log(await send(given[0] as string))
else if (what === 'find')
  console.log(await find(given[0] as string, { appid: given[1] as string, id: given[2] as string }))

async function send(token: string): Promise<string> {
  const call = apiWith(url, token)
  const made = await call(createApplication, { body: { name: 'Delivered', mimetype_list: [1] } })
  const appid = made.object_list[0]?.id as string
  const { key } = await call(createIngestKey, { body: { appid, kind: 'server', name: 'test' } })
  const id = randomUUID()
  const event = { event_id: id, type: 'start', device_id: 'first', platform: 'android', reported_at: Date.now() }
  const answer = await fetch(url + COLLECT_EVENTS_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([event]),
  })
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
  return `${appid} ${id}`
}

async function find(token: string, query: { appid: string; id: string }): Promise<string> {
  for (let i = 0; i < 60; i++) {
    const found = await apiWith(url, token)(eventById, { query }).catch(() => undefined)
    if (found?.stored) return 'stored'
    await new Promise((done) => setTimeout(done, 500))
  }
  return 'not stored'
}
