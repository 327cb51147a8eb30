import { startAdbServer } from './adb-server.ts'
import { TELLING } from './behaviour.ts'
import { SimulatedPhone } from './simulated-phone.ts'

/**
 * A simulated phone behind an adb server of its own: `main.ts PORT [PACKAGE …]`, where the named packages behave in every way that a
 * dynamic detection looks for. The product finds it by ADB_SERVER_SOCKET=tcp:127.0.0.1:PORT.
 */
const [port = '5037', ...packages] = process.argv.slice(2)
const behaviours = Object.fromEntries(packages.map((id) => [id, TELLING]))
const server = await startAdbServer([new SimulatedPhone({ behaviours })], Number(port))
console.log(`Simulated phone: ADB_SERVER_SOCKET=tcp:127.0.0.1:${server.port}`)
