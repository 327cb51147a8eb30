import { fork } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

test('a fleet whose parent ended ends too, without an error', async () => {
  const app = { appid: '1', key: 'aw_sk_none', platform: 'android' }
  // A port that answers nothing: it sends, fails and tries again.
  const config = { url: 'http://127.0.0.1:9', apps: [app], phones: 100, rate: 1 }
  const fleet = fork('mocks/device-fleet/main.ts', [JSON.stringify(config)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const said = text(fleet.stderr!)
  const ended = once(fleet, 'exit')
  // Its counters come every ten seconds: it runs, and handles the end of its channel.
  await once(fleet, 'message')
  fleet.disconnect()
  expect(await ended).toEqual([0, null])
  expect(await said).toBe('')
})
