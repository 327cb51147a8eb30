import { startHttpApp } from '#tests/support/http-app.ts'

/** The console's HTTP application in a process of its own, for encrypted-requests.ts: sends its address, then its CPU time whenever asked. */
const app = await startHttpApp()
const accounts = Number(process.argv[2])
for (let n = 0; n < accounts; n++) await app.addUser(`bench${n}@example.com`, 'administrator')
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1000 })
})
process.once('disconnect', async () => {
  await app.close()
  process.exit()
})
process.send?.({ url: app.url })
