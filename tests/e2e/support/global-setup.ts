import { mkdirSync, writeFileSync } from 'node:fs'
import type { FullConfig } from '@playwright/test'
import { TEST_VENDOR_KEY } from '../../support/made-licence.ts'
import { freePort, type RunningServer, startServer } from '../../support/running-server.ts'
import { makeAccounts } from './accounts.ts'

/**
 * Starts a built server (dist/) for each worker, with a fixed password and verification code, makes the accounts, stops it at the end. E2E_URL
 * and E2E_DATA name a server that runs already, on a fresh data folder and with the same password and code.
 */
export default async function setup({ workers }: FullConfig): Promise<(() => Promise<void>) | undefined> {
  const running = process.env['E2E_DATA']
  if (running) {
    await makeAccounts(running)
    return undefined
  }
  const servers: (RunningServer & { adb: number; markets: number[] })[] = []
  const stop = async () => {
    await Promise.all(servers.map((one) => one.stop()))
    // scripts/test.mjs repeats warnings and errors of a run that failed.
    mkdirSync('reports', { recursive: true })
    for (const [index, one] of servers.entries()) writeFileSync(`reports/e2e-server-${index}.log`, one.log())
  }
  try {
    for (let index = 0; index < workers; index++) {
      // Nothing listens there until a test starts a phone.
      const adb = await freePort()
      const markets = [await freePort(), await freePort()]
      const server = await startServer({
        keptLog: 1_000_000,
        env: {
          ADB_SERVER_SOCKET: `tcp:127.0.0.1:${adb}`,
          APPWARDEN_LICENCE_KEYS: TEST_VENDOR_KEY,
          APPWARDEN_MARKET_ORIGINS: markets.map((port) => `http://127.0.0.1:${port}`).join(),
        },
      })
      servers.push({ ...server, adb, markets })
      await makeAccounts(server.dataFolder)
    }
  } catch (error) {
    await stop()
    throw error
  }
  process.env['E2E_SERVERS'] = JSON.stringify(
    servers.map(({ url, dataFolder, adb, markets }) => ({ url, dataFolder, adb, markets })),
  )
  return stop
}
