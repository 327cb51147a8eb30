/** What is delivered as one file: the client as a module, and the command of continuous integration where it is run by Node. */
import { pathToFileURL } from 'node:url'
import { HELP, scanCommand } from './scan-command.ts'

export { AppWardenClient, AppWardenError } from './client.ts'
export { scanPackage, uploadPackage } from './scan-package.ts'

const [, script, command, ...args] = process.argv
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  if (command === 'scan')
    process.exitCode = await scanCommand(args, { env: process.env, print: console.log, fail: console.error })
  else {
    console.error(HELP)
    process.exitCode = 2
  }
}
