import { startServer } from '../../support/running-server.ts'
import { makeAccounts } from './accounts.ts'

/**
 * Starts the built server (dist/) with a fixed password and verification code, makes the accounts, stops it at the end. E2E_URL and
 * E2E_DATA name a server that runs already, on a fresh data folder and with the same password and code.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const running = process.env['E2E_DATA']
  if (running) {
    await makeAccounts(running)
    return undefined
  }
  const server = await startServer()
  await makeAccounts(server.dataFolder)
  process.env['E2E_URL'] = server.url
  process.env['E2E_DATA'] = server.dataFolder
  return () => server.stop()
}
