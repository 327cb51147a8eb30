/** What an application does on the simulated phone, as data: times in milliseconds after it was started, or after the first input. */
type When = { after: number; since?: 'start' | 'input' }

export type Behaviour = {
  /** Uses that the system keeps account of. `needs`: only once this permission is granted, else it is refused. */
  uses?: readonly (When & { op: string; needs?: string })[]
  sockets?: readonly (When & { protocol: 'tcp' | 'udp'; address: string; port: number })[]
  listens?: readonly (When & { address: string; port: number })[]
  /** Lines of its log. */
  log?: readonly (When & { level: string; tag: string; text: string })[]
  /** Files: below `.` private, below /sdcard shared. */
  files?: readonly (When & { path: string; text: string; mode?: string })[]
  /** Activities that crash when they are opened from outside. */
  crashes?: readonly string[]
  /** A permission dialog lies on top from here on for so long. */
  dialog?: When & { for: number }
  /** Further processes of it, `:push`. */
  processes?: readonly string[]
  /** Why it is not installed. */
  refuse?: string
}

/** An application with manners of every kind that a dynamic detection looks for. Addresses are of documentation and public resolvers. */
export const TELLING: Behaviour = {
  uses: [
    { op: 'READ_CLIPBOARD', after: 700 },
    { op: 'FINE_LOCATION', after: 900, needs: 'android.permission.ACCESS_FINE_LOCATION' },
    { op: 'FINE_LOCATION', after: 1500, since: 'input', needs: 'android.permission.ACCESS_FINE_LOCATION' },
    { op: 'READ_CONTACTS', after: 2000, since: 'input', needs: 'android.permission.READ_CONTACTS' },
    { op: 'VIBRATE', after: 300 },
  ],
  sockets: [
    { protocol: 'tcp', address: '223.5.5.5', port: 443, after: 400 },
    { protocol: 'tcp', address: '8.8.8.8', port: 443, after: 1200 },
    { protocol: 'tcp', address: '180.76.76.76', port: 80, after: 500, since: 'input' },
    { protocol: 'udp', address: '192.168.1.1', port: 53, after: 200 },
  ],
  listens: [{ address: '0.0.0.0', port: 8733, after: 600 }],
  log: [
    { level: 'I', tag: 'Wallet', text: 'connected to telemetry.example.net/8.8.8.8:443', after: 1300 },
    {
      level: 'D',
      tag: 'Login',
      text: 'signing in, phone=13812345678 password=Tr0ub4dor&3',
      after: 800,
      since: 'input',
    },
    {
      level: 'D',
      tag: 'StrictMode',
      text: 'StrictMode policy violation; ~duration=12 ms: android.os.strictmode.DiskReadViolation',
      after: 350,
    },
  ],
  files: [
    {
      path: './shared_prefs/account.xml',
      text: '<map><string name="access_token">q8Zr51kLw0Tn</string></map>',
      after: 900,
      mode: '660',
    },
    { path: './files/open.txt', text: 'seen by all', after: 1000, mode: '666' },
    { path: '/sdcard/Download/wallet-report.txt', text: 'id card 11010519491231002X', after: 1200, since: 'input' },
  ],
  processes: [':push'],
}
