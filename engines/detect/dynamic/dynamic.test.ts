import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_PLACE } from '../../geo/place.ts'
import { findLeaks } from './find-leaks.ts'
import { readFiles } from './read-files.ts'
import { readLogLine } from './read-log.ts'
import { readPackageDump } from './read-package-dump.ts'
import { readPng } from './read-png.ts'
import { readProcesses } from './read-processes.ts'
import { isLocal, readSockets } from './read-sockets.ts'
import { readUses } from './read-uses.ts'
import { RunObserver } from './run-observer.ts'

const UID = 10_123
const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'

describe('[DET-01] what a phone says', () => {
  test('uses: durations of the system, refused ones apart, modes of the uid left out', () => {
    const text = [
      'Uid mode: COARSE_LOCATION: foreground',
      'FINE_LOCATION: allow; time=+1h2m3s4ms ago',
      'CAMERA: ignore; rejectTime=+350ms ago',
      'RECORD_AUDIO: allow; time=+2d1h ago; rejectTime=+5s0ms ago; duration=+1s200ms',
      'READ_CLIPBOARD: allow; time=0 ago',
      'VIBRATE: default',
      'CALL_PHONE: allow; time=-5s ago',
    ].join('\n')
    expect(readUses(text)).toEqual([
      { op: 'FINE_LOCATION', usedAgo: 3_723_004, refusedAgo: null },
      { op: 'CAMERA', usedAgo: null, refusedAgo: 350 },
      { op: 'RECORD_AUDIO', usedAgo: 176_400_000, refusedAgo: 5000 },
      { op: 'READ_CLIPBOARD', usedAgo: 0, refusedAgo: null },
    ])
  })

  test('sockets: addresses of both families, of one user alone', () => {
    const rows = [
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 10123        0 1 1',
      '   1: 1401A8C0:9C40 08080808:01BB 01 00000000:00000000 00:00000000 00000000 10123        0 2 1',
      '   2: 1401A8C0:9C41 08080808:01BB 01 00000000:00000000 00:00000000 00000000 10124        0 3 1',
      '   3: 0000000000000000FFFF00001401A8C0:9C42 0000000000000000FFFF000005050505:0050 01 00000000:00000000 00:00000000 00000000 10123 0 4 1',
      '   4: B80D01200000000000000000010000000:1F90 nonsense 01',
      '   5: B80D0120000000000000000001000000:9C43 B80D0120000000000000000002000000:01BB 01 00000000:00000000 00:00000000 00000000 10123 0 5 1',
    ]
    expect(
      readSockets(HEAD + rows.join('\n'), 'tcp', UID).map((one) => [one.remoteAddress, one.remotePort, one.listens]),
    ).toEqual([
      ['0.0.0.0', 0, true],
      ['8.8.8.8', 443, false],
      ['5.5.5.5', 80, false],
      ['120:db8::2', 443, false].map((one) => (one === '120:db8::2' ? '2001:db8::2' : one)),
    ])
    expect(
      ['10.1.2.3', '172.16.0.1', '192.168.0.9', '127.0.0.1', '::1', 'fe80::1', '224.0.0.251', '100.64.1.1'].filter(
        isLocal,
      ),
    ).toHaveLength(8)
    expect(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2001:db8::1', '223.5.5.5'].filter(isLocal)).toEqual([])
  })

  test('package, processes, files, log lines, pictures', () => {
    const dump = [
      'Packages:',
      '  Package [a.b] (1):',
      '    appId=10123',
      '    flags=[ DEBUGGABLE HAS_CODE ]',
      '    versionName=1.2',
      '      android.permission.CAMERA: granted=false, flags=[ USER_SET]',
      '  Package [a.c] (2):',
      '      android.permission.SEND_SMS: granted=true',
    ].join('\n')
    expect(readPackageDump(dump, 'a.b')).toEqual({
      uid: UID,
      versionName: '1.2',
      debuggable: true,
      granted: new Map([['android.permission.CAMERA', false]]),
    })
    expect(readPackageDump(dump, 'a')).toBeUndefined()
    expect(readProcesses('  UID   PID NAME\n10123  41 a.b:push\n10124 42 a.c\n', UID)).toEqual([
      { pid: 41, name: 'a.b:push' },
    ])
    expect([...readFiles('12 1700000000 660 ./a b.xml\nx\n9 1 888 ./c\n').keys()]).toEqual(['./a b.xml'])
    expect(readLogLine('1700000000.250  4100  4111 E AndroidRuntime: FATAL EXCEPTION: main')).toEqual({
      at: 1_700_000_000_250,
      pid: 4100,
      level: 'E',
      tag: 'AndroidRuntime',
      text: 'FATAL EXCEPTION: main',
    })
    expect(readLogLine('--------- beginning of main')).toBeUndefined()
    expect(readPng(Buffer.from('<svg onload=alert(1)>'))).toBeUndefined()
  })

  test('leaks: personal information and secrets, hidden in the middle; look-alikes are not reported', () => {
    const kinds = (text: string) => findLeaks(text).map(({ kind }) => kind)
    expect(kinds('card 4111111111111111 paid')).toEqual(['bank_card'])
    expect(kinds('id=11010519491231002X')).toEqual(['identity_card'])
    expect(kinds('tel 13812345678, pwd=hunter2-hunter2')).toEqual(['mobile_number', 'password'])
    expect(kinds('imei: 490154203237518')).toEqual(['device_number'])
    expect(kinds('AWS AKIAIOSFODNN7QQ4MPLE')).toEqual(['android-secret-aws-ak'])
    expect(
      kinds('t=1700000000000 size=13812345678.5 id 110105194912310021 password=null 13800000000 v4.111111'),
    ).toEqual([])
    const [leak] = findLeaks(`x password=${'s3cr3t-Value'} y`)
    expect(leak?.line).not.toContain('s3cr3t-Value')
    expect(leak?.line).toContain(leak?.value)
  })

  test('an observer stays within its bounds and never throws, whatever the phone sends', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.constantFrom(
        '1700000000.250  990  990 I ActivityManager: Start proc 4100:a.b/u0a123 for top-activity',
        '1700000001.250  4100  4111 E AndroidRuntime: FATAL EXCEPTION: main',
        '1700000001.250  4100  4111 E AndroidRuntime: \u202e\u0000Process: a.b, PID: 1',
        '1700000002.250  990  990 E ActivityManager: ANR in a.b (a.b/.Main)',
        '1700000002.250  990  990 E ActivityManager: Reason: Input dispatching timed out',
      ),
    )
    const text = fc.oneof(fc.constant(null), fc.string({ maxLength: 2000 }))
    const sample = fc.record({ processes: text, tcp: text, udp: text, uses: text, top: text })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.array(sample, { maxLength: 5 }), (lines, samples) => {
        const observer = new RunObserver({ id: 'a.b', uid: UID, startedAt: 1_700_000_000_000 })
        for (const [at, one] of samples.entries()) observer.sample(at * 1000, one)
        for (const one of lines) observer.logLine(one)
        const seen = observer.seen(10_000, false, () => NO_PLACE)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        expect(JSON.stringify(seen)).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/)
        expect(seen.moments.map(({ at }) => at)).toEqual(seen.moments.map(({ at }) => at).sort((a, b) => a - b))
      }),
    )
  })

  test('hostile sizes are answered quickly', () => {
    const begun = performance.now()
    const long = 'a'.repeat(3_000_000)
    readUses(`${long}: allow; time=+1s ago\n`.repeat(1))
    readSockets(`0: ${'0'.repeat(2_000_000)}`, 'tcp', UID)
    readLogLine(`1700000000.250  1  1 E ${' '.repeat(500_000)}x`)
    readPackageDump(`  Package [a.b] \n${' '.repeat(2_000_000)}`, 'a.b')
    findLeaks('password='.repeat(200_000))
    findLeaks('eyJ'.repeat(200_000))
    readFiles('1 '.repeat(1_000_000))
    expect(performance.now() - begun).toBeLessThan(1500)
  })
})
