import { describe, expect, test } from 'vitest'
import { arm64, type MachoAddresses, type WrittenMacho, writeMacho } from '#tests/support/macho-writer.ts'
import { type Written, writeXmlPlist } from '#tests/support/plist-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readPackage } from '../../package/read-package.ts'
import { SCAN_CHOICES, type ScanChoices } from '../input/scan-choices.ts'
import { scan } from '../scan.ts'

const APP = 'Payload/App.app/'

interface Made {
  readonly info?: { readonly [key: string]: Written }
  readonly main?: WrittenMacho
  readonly files?: Readonly<Record<string, Uint8Array | string>>
  readonly choices?: Partial<ScanChoices>
}

function scanned({ info = {}, main = {}, files = {}, choices = {} }: Made) {
  const list = writeXmlPlist({
    CFBundleIdentifier: 'com.example.app',
    CFBundleExecutable: 'App',
    MinimumOSVersion: '16.0',
    ...info,
  })
  const bytes = writeZip(
    Object.entries({ [`${APP}Info.plist`]: list, [`${APP}App`]: writeMacho(main), ...files }).map(([name, data]) => ({
      name,
      data,
    })),
  )
  return scan(readPackage(bytes, 'App.ipa'), { ...SCAN_CHOICES, kinds: ['static'], ...choices })
}

/** Verdict, level and details of one item. */
function item(id: string, made: Made): { verdict: string; level: string; details: string[]; owner: string | null } {
  const found = scanned(made).items.find((one) => one.id === id)
  if (!found) throw new Error(`no item ${id}`)
  const { verdict, level, findings, owner } = found
  return { verdict, level, owner, details: findings.map(({ detail }) => detail.en) }
}
const verdict = (id: string, made: Made) => item(id, made).verdict

/** Instructions in sequence, each with its location. */
const code =
  (...parts: readonly ((at: MachoAddresses, pc: number) => readonly number[])[]) =>
  (at: MachoAddresses): number[] => {
    const words: number[] = []
    for (const part of parts) words.push(...part(at, at.here + 4 * words.length))
    return words
  }
const send = (selector: string) => (at: MachoAddresses, pc: number) => [
  ...arm64.load(1, at.selectorReference(selector), pc),
  arm64.call(at.stub('_objc_msgSend'), pc + 8),
]
const call = (symbol: string) => (at: MachoAddresses, pc: number) => [arm64.call(at.stub(symbol), pc)]
const set = (register: number, value: number) => () => [arm64.set(register, value)]
const constant = (register: number, text: string) => (at: MachoAddresses, pc: number) =>
  arm64.address(register, at.constant(text), pc)

describe('items of iOS applications', () => {
  test('the same package gives the same result', () => {
    const made = { info: { NSAppTransportSecurity: { NSAllowsArbitraryLoads: true } } }
    expect(JSON.stringify(scanned(made))).toBe(JSON.stringify(scanned(made)))
    expect(scanned(made).package).toMatchObject({
      kind: 'ipa',
      platform: 'ios',
      id: 'com.example.app',
      abis: ['arm64'],
    })
  })

  test('transport security: what overrides, what is local', () => {
    const ats = (value: Written) => ({ info: { NSAppTransportSecurity: value } })
    expect(item('ios-ats-arbitrary-loads', ats({ NSAllowsArbitraryLoads: true }))).toMatchObject({
      verdict: 'fail',
      level: 'middle',
    })
    expect(
      verdict('ios-ats-arbitrary-loads', ats({ NSAllowsArbitraryLoads: true, NSAllowsLocalNetworking: true })),
    ).toBe('pass')
    const domains = ats({
      NSExceptionDomains: {
        'a.example.com': {
          NSExceptionAllowsInsecureHTTPLoads: true,
          NSIncludesSubdomains: true,
          NSExceptionMinimumTLSVersion: 'TLSv1.0',
        },
        '192.168.1.2': { NSExceptionAllowsInsecureHTTPLoads: true },
        'b.example.com': { NSExceptionRequiresForwardSecrecy: false, NSExceptionMinimumTLSVersion: 'TLSv1.2' },
      },
    })
    expect(item('ios-ats-exception-http', domains).details).toEqual([
      'HTTP is allowed for a.example.com and its subdomains',
    ])
    expect(item('ios-ats-min-tls', domains).details).toEqual(['TLSv1.0 is allowed for a.example.com'])
    expect(item('ios-ats-no-forward-secrecy', domains).details).toEqual(['b.example.com needs no forward secrecy'])
  })

  test('a weak digest that is imported is a note until a caller is seen', () => {
    const imports = ['_objc_msgSend', '_CC_MD5']
    const classes = { Store: { digestOfPassword: 0 } }
    const called = { main: { imports, classes, functions: [code(call('_CC_MD5'))] } }
    const imported = { main: { imports, classes, functions: [code(set(0, 1))] } }
    expect(item('ios-weak-hash', called)).toMatchObject({ verdict: 'fail', level: 'middle', details: ['calls CC_MD5'] })
    expect(item('ios-weak-hash', imported)).toMatchObject({
      level: 'info',
      details: ['imports CC_MD5; no call was seen'],
    })
    expect(verdict('ios-weak-hash', { main: { imports: ['_objc_msgSend'] } })).toBe('pass')
  })

  test('a weak digest is a low finding where the names around it say nothing of security', () => {
    const digest = (classes: WrittenMacho['classes'], exports: readonly string[] = []): Made => ({
      main: {
        imports: ['_objc_msgSend', '_CC_MD5'],
        classes: classes ?? {},
        exports,
        functions: [code(call('_CC_MD5'))],
      },
    })
    expect(item('ios-weak-hash', digest({ Cache: { nameOfFile: 0 } }))).toMatchObject({
      level: 'low',
      details: ['calls CC_MD5; that security depends on it was not seen'],
    })
    expect(item('ios-weak-hash', digest({}, ['_nameOfFile'])).level).toBe('low')
    expect(item('ios-weak-hash', digest({ Cache: { signatureOf: 0 } })).level).toBe('middle')
    expect(item('ios-weak-hash', digest({ LoginForm: { nameOfFile: 0 } })).level).toBe('middle')
    expect(item('ios-weak-hash', digest({}, ['_hmacOf'])).level).toBe('middle')
    // A signal is no signature, and where no name is left nothing says what it is for.
    expect(item('ios-weak-hash', digest({ Cache: { signalOf: 0 } })).level).toBe('low')
    expect(item('ios-weak-hash', digest({})).level).toBe('middle')
  })

  test('an object that is unarchived in a method which gets data from elsewhere is middle, any other low', () => {
    const made = (classes: WrittenMacho['classes'], selectors: readonly string[] = []): Made => ({
      main: {
        imports: ['_objc_msgSend'],
        selectors: ['unarchiveObjectWithData:', ...selectors],
        classes: classes ?? {},
        functions: [code(send('unarchiveObjectWithData:'))],
      },
    })
    const id = 'ios-unarchive-insecure'
    for (const selector of [
      'URLSession:didReceiveData:',
      'handleOpenURL:',
      'session:didReceiveMessage:',
      'parseResponse:',
    ])
      expect(item(id, made({ Store: { [selector]: 0 } })), selector).toMatchObject({
        level: 'middle',
        details: ['uses unarchiveObjectWithData:'],
      })
    expect(item(id, made({ Store: { load: 0 } }))).toMatchObject({
      level: 'low',
      details: ['uses unarchiveObjectWithData:; that the data are foreign was not seen'],
    })
    expect(verdict(id, { main: { imports: ['_objc_msgSend'] } })).toBe('pass')
  })

  test('the developer image is no danger to an XCTest runner, and any other path is', () => {
    const level = (id: string, ...rpaths: string[]) =>
      item('ios-rpath-unsafe', { main: { rpaths }, info: { CFBundleIdentifier: id } }).level
    expect(level('org.maker.Tests.xctrunner', '/Developer/Library/Frameworks')).toBe('info')
    expect(level('org.maker.Tests', '/Developer/Library/Frameworks')).toBe('middle')
    expect(level('org.maker.Tests.xctrunner', '/Developer/Library/Frameworks', '/tmp/lib')).toBe('middle')
  })

  test('header and symbols: position, guards, leftovers, paths', () => {
    const main: WrittenMacho = {
      flags: 0,
      imports: ['_objc_msgSend', '_strcpy'],
      locals: Array.from({ length: 60 }, (_, i) => `_l${i}`),
      rpaths: ['/tmp/lib', '@executable_path/Frameworks'],
      dylibs: [['@executable_path/FridaGadget.dylib']],
      classes: { Plain: {} },
    }
    for (const id of [
      'ios-no-pie',
      'ios-no-stack-canary',
      'ios-no-arc',
      'ios-symbols-not-stripped',
      'ios-rpath-unsafe',
      'ios-injected-dylib',
      'ios-dangerous-functions',
    ])
      expect([id, verdict(id, { main })]).toEqual([id, 'fail'])
    const sound: WrittenMacho = {
      imports: ['_objc_msgSend', '_objc_retain', '___stack_chk_fail'],
      rpaths: ['@executable_path/Frameworks'],
    }
    for (const id of [
      'ios-no-pie',
      'ios-no-stack-canary',
      'ios-no-arc',
      'ios-symbols-not-stripped',
      'ios-rpath-unsafe',
      'ios-injected-dylib',
    ])
      expect([id, verdict(id, { main: sound })]).toEqual([id, 'pass'])
  })

  test('iOS items judge code signatures and provisioning profiles', () => {
    const entitlements = writeXmlPlist({ 'get-task-allow': true })
    expect(item('ios-get-task-allow', { main: { signature: { entitlements } } })).toMatchObject({
      verdict: 'fail',
      level: 'high',
    })
    expect(verdict('ios-get-task-allow', { main: { signature: {} } })).toBe('pass')
    expect(verdict('ios-code-signature-old', { main: { signature: { hashes: ['sha1'] } } })).toBe('fail')
    expect(verdict('ios-code-signature-old', { main: { signature: { hashes: ['sha1', 'sha256'] } } })).toBe('pass')
    expect(verdict('ios-profile-expired', {})).toBe('not_applicable')
    const profile = Buffer.concat([
      Buffer.from('x'),
      writeXmlPlist({ ExpirationDate: new Date(1e12), ProvisionsAllDevices: true }),
    ])
    const files = { [`${APP}embedded.mobileprovision`]: profile }
    expect(item('ios-profile-expired', { files, choices: { date: 2e12 } }).details).toEqual([
      'the profile expired on 2001-09-09',
    ])
    expect(verdict('ios-profile-expired', { files, choices: { date: 5e11 } })).toBe('pass')
    expect(verdict('ios-profile-expired', { files })).toBe('not_assessed')
    expect(verdict('ios-profile-enterprise', { files })).toBe('fail')
  })

  const crypto = (algorithm: number, options: number): WrittenMacho => ({
    imports: ['_CCCrypt'],
    strings: ['0123456789abcdef'],
    functions: [code(set(1, algorithm), set(2, options), constant(3, '0123456789abcdef'), call('_CCCrypt'))],
  })

  test('arguments of calls decide: algorithm, mode, key', () => {
    expect(item('ios-weak-cipher', { main: crypto(1, 0) })).toMatchObject({
      verdict: 'fail',
      level: 'high',
      details: ['uses DES'],
    })
    expect(verdict('ios-weak-cipher', { main: crypto(0, 0) })).toBe('pass')
    expect(verdict('ios-ecb-mode', { main: crypto(0, 3) })).toBe('fail')
    expect(verdict('ios-ecb-mode', { main: crypto(0, 1) })).toBe('pass')
    // Single blocks, of which minizip makes its counter mode.
    const named = (name: string) => item('ios-ecb-mode', { main: { ...crypto(0, 3), exports: [name] } })
    expect(named('_mz_crypt_aes_encrypt')).toMatchObject({ verdict: 'fail', level: 'info' })
    expect(named('_encryptRecord')).toMatchObject({ verdict: 'fail', level: 'high' })
    expect(item('ios-hardcoded-key', { main: crypto(0, 0) }).details[0]).not.toContain('0123456789abcdef')
    const open: WrittenMacho = { imports: ['_CCCrypt'], functions: [code(call('_CCCrypt'))] }
    expect(item('ios-weak-cipher', { main: open })).toMatchObject({ verdict: 'fail', level: 'info' })
    expect(verdict('ios-weak-cipher', {})).toBe('not_applicable')
  })

  test('[DET-03] the SHA-1 that the handshake of WebSocket demands is a note, any other is not', () => {
    const digest = (classes: WrittenMacho['classes'], exports: readonly string[]): WrittenMacho => ({
      imports: ['_CC_SHA1'],
      functions: [code(call('_CC_SHA1'))],
      exports,
      classes: classes ?? {},
    })
    const level = (main: WrittenMacho) => item('ios-weak-hash', { main }).level
    expect(level(digest({}, ['_newSHA1String']))).toBe('info')
    expect(level(digest({ SRWebSocket: { answer: 0 } }, []))).toBe('info')
    expect(level(digest({}, ['_hashOfPassword']))).toBe('middle')
    expect(level(digest({ Login: { answer: 0 } }, []))).toBe('middle')
  })

  test('messages with their arguments, and the method that they are in', () => {
    const main = (value: number): WrittenMacho => ({
      imports: ['_objc_msgSend'],
      selectors: ['setAllowInvalidCertificates:'],
      classes: { Api: { configure: 0 } },
      functions: [code(set(2, value), send('setAllowInvalidCertificates:'))],
    })
    const found = scanned({ main: main(1) }).items.find(({ id }) => id === 'ios-afnetworking-invalid-cert')!
    expect(found.findings[0]?.evidence).toMatchObject({ class: 'Api', method: '-configure' })
    expect(verdict('ios-afnetworking-invalid-cert', { main: main(0) })).toBe('pass')
  })

  test('trust without evaluation is found where the method does it', () => {
    const delegate = 'URLSession:didReceiveChallenge:completionHandler:'
    const main = (...more: readonly string[]): WrittenMacho => ({
      imports: ['_objc_msgSend', '_SecTrustEvaluateWithError'],
      selectors: ['credentialForTrust:'],
      classes: { Session: { [delegate]: 0 } },
      functions: [code(...more.map((symbol) => call(symbol)), send('credentialForTrust:'))],
    })
    expect(verdict('ios-tls-challenge-bypass', { main: main() })).toBe('fail')
    expect(verdict('ios-tls-challenge-bypass', { main: main('_SecTrustEvaluateWithError') })).toBe('pass')
    expect(item('ios-tls-challenge-bypass', { main: main() }).level).toBe('high')
    // In a library whose option decides; elsewhere default handling is for other kinds of challenges.
    const both = (owner: string): WrittenMacho => ({
      ...main(),
      selectors: ['credentialForTrust:', 'performDefaultHandlingForAuthenticationChallenge:'],
      classes: { [owner]: { [delegate]: 0 } },
      functions: [code(send('credentialForTrust:'), send('performDefaultHandlingForAuthenticationChallenge:'))],
    })
    const level = (owner: string) => item('ios-tls-challenge-bypass', { main: both(owner) }).level
    expect(level('YYWebImageOperation')).toBe('low')
    expect(level('Session')).toBe('high')
  })

  test('[DET-03] a bare number is a version of SQLite in a binary of that name alone', () => {
    const id = 'ios-sdk-known-vuln'
    const strings = ['http', '3.1.3']
    expect(verdict(id, { main: { strings } })).toBe('pass')
    const kit = (name: string) => ({ [`${APP}Frameworks/${name}.dylib`]: writeMacho({ fileType: 6, strings }) })
    const dylibs = (name: string): WrittenMacho => ({ dylibs: [[`@rpath/${name}.dylib`]] })
    expect(verdict(id, { main: dylibs('libsqlite3'), files: kit('libsqlite3') })).toBe('fail')
    expect(verdict(id, { main: dylibs('libother'), files: kit('libother') })).toBe('pass')
    expect(verdict(id, { main: { strings: ['OpenSSL 1.0.1f 6 Jan 2014'] } })).toBe('fail')
  })

  test('[DET-03] what iOS asks since a version is less of what was built before it', () => {
    const location: WrittenMacho = { imports: ['_OBJC_CLASS_$_CLLocationManager'] }
    const tracking: WrittenMacho = { selectors: ['advertisingIdentifier'] }
    const level = (id: string, main: WrittenMacho, DTSDKName: string) => item(id, { main, info: { DTSDKName } }).level
    expect(level('ios-usage-desc-missing', location, 'iphoneos6.1')).toBe('low')
    expect(level('ios-usage-desc-missing', location, 'iphoneos12.2')).toBe('middle')
    expect(item('ios-usage-desc-missing', { main: location }).level).toBe('middle')
    expect(level('ios-idfa-no-att', tracking, 'iphoneos11.4')).toBe('low')
    expect(level('ios-idfa-no-att', tracking, 'iphoneos14.5')).toBe('middle')
  })

  test('sensitive keys of UserDefaults, not flags', () => {
    const main = (key: string, selector = 'setObject:forKey:'): WrittenMacho => ({
      imports: ['_objc_msgSend'],
      strings: [key],
      selectors: ['standardUserDefaults', selector],
      functions: [code(send('standardUserDefaults'), constant(3, key), send(selector))],
    })
    expect(item('ios-userdefaults-sensitive', { main: main('userPassword') }).details).toEqual([
      'UserDefaults key userPassword',
    ])
    expect(verdict('ios-userdefaults-sensitive', { main: main('theme') })).toBe('pass')
    expect(verdict('ios-userdefaults-sensitive', { main: main('isPasswordSet', 'setBool:forKey:') })).toBe('pass')
  })

  test('addresses in clear, by host; documents are no connections', () => {
    const main: WrittenMacho = {
      strings: [
        'http://api.example.com/v1',
        'http://www.w3.org/1999/xhtml',
        'http://localhost/',
        'http://192.168.0.1/x',
      ],
    }
    expect(item('ios-http-url', { main }).details).toEqual(['cleartext address api.example.com'])
  })

  test('secrets: keys with a body, credentials that are no examples', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ'.repeat(2)}\n-----END PRIVATE KEY-----`
    expect(verdict('ios-secret-private-key', { files: { [`${APP}client.pem`]: key } })).toBe('fail')
    expect(verdict('ios-secret-private-key', { files: { [`${APP}ca.pem`]: '-----BEGIN CERTIFICATE-----\nMII' } })).toBe(
      'pass',
    )
    expect(item('ios-secret-cloud-key', { main: { strings: ['AKIAQ7ZK4WXN2RTV9BHC'] } }).details[0]).toMatch(
      /^cloud credential AKIA\*+/,
    )
    expect(verdict('ios-secret-cloud-key', { main: { strings: ['AKIAIOSFODNN7EXAMPLE'] } })).toBe('pass')
  })

  test('usage descriptions: missing, unused, vague', () => {
    const contacts: WrittenMacho = { imports: ['_OBJC_CLASS_$_CNContactStore'] }
    expect(item('ios-usage-desc-missing', { main: contacts }).details).toEqual([
      'uses CNContactStore and lacks NSContactsUsageDescription',
    ])
    const declared = { NSContactsUsageDescription: '用于邀请您的好友加入群组' }
    expect(verdict('ios-usage-desc-missing', { main: contacts, info: declared })).toBe('pass')
    expect(verdict('ios-usage-desc-missing', { main: { imports: ['?_OBJC_CLASS_$_CNContactStore'] } })).toBe('pass')
    expect(verdict('ios-usage-desc-unused', { info: declared })).toBe('fail')
    expect(verdict('ios-usage-desc-unused', { main: contacts, info: declared })).toBe('pass')
    expect(verdict('ios-usage-desc-vague', { info: { NSContactsUsageDescription: '需要访问' } })).toBe('fail')
    expect(verdict('ios-usage-desc-vague', { info: declared })).toBe('pass')
  })

  test('[DET-06] the privacy check reads usage descriptions as the item does', () => {
    const seen = (NSCameraUsageDescription: string) => {
      const made: Made = { info: { NSCameraUsageDescription }, choices: { kinds: ['static', 'privacy'] } }
      const { items, privacy } = scanned(made)
      return [
        items.find(({ id }) => id === 'ios-usage-desc-vague')!.verdict,
        privacy.find(({ id }) => id === 'm2-3')!.verdict,
      ]
    }
    expect(seen('用于扫描二维码')).toEqual(['pass', 'pass'])
    expect(seen('需要访问')).toEqual(['fail', 'fail'])
    expect(seen('test')).toEqual(['fail', 'fail'])
  })

  test('the advertising identifier needs the question and its text', () => {
    const main = (...selectors: string[]): WrittenMacho => ({ selectors: ['advertisingIdentifier', ...selectors] })
    const text = { NSUserTrackingUsageDescription: '用于向您展示更合适的内容' }
    expect(verdict('ios-idfa-no-att', { main: main() })).toBe('fail')
    expect(
      verdict('ios-idfa-no-att', { main: main('requestTrackingAuthorizationWithCompletionHandler:'), info: text }),
    ).toBe('pass')
    expect(item('ios-idfa-no-att', { main: { strings: ['advertisingIdentifier'] } })).toMatchObject({
      verdict: 'fail',
      level: 'info',
    })
  })

  test('protections: any evidence counts; money raises the level', () => {
    expect(item('ios-no-jailbreak-detect', {})).toMatchObject({ verdict: 'fail', level: 'low' })
    expect(item('ios-no-jailbreak-detect', { choices: { applicationTypes: ['online_payment'] } }).level).toBe('middle')
    expect(verdict('ios-no-jailbreak-detect', { main: { strings: ['/Applications/Cydia.app'] } })).toBe('pass')
    expect(verdict('ios-no-antidebug', { main: { imports: ['_ptrace'] } })).toBe('pass')
    expect(verdict('ios-no-antidebug', { main: { functions: [() => [0xd4001001]] } })).toBe('pass')
    expect(
      verdict('ios-no-hook-detect', { main: { imports: ['__dyld_get_image_name'], strings: ['FridaGadget'] } }),
    ).toBe('pass')
    expect(verdict('ios-no-attest', { main: { imports: ['_OBJC_CLASS_$_DCAppAttestService'] } })).toBe('pass')
  })

  test('an encrypted program is not judged by its code: that is said, and lists still are', () => {
    const made: Made = { main: { ...crypto(1, 0), cryptId: 1 }, info: { UIFileSharingEnabled: true } }
    expect(verdict('ios-weak-cipher', made)).toBe('not_assessed')
    expect(verdict('ios-no-jailbreak-detect', made)).toBe('not_assessed')
    expect(verdict('ios-no-encryption', made)).toBe('pass')
    expect(verdict('ios-file-sharing', made)).toBe('fail')
    expect(scanned(made).notAssessed.map(({ key }) => key)).toContain('encrypted')
  })

  test('a framework answers for itself', () => {
    const list = writeXmlPlist({
      CFBundleExecutable: 'Kit',
      CFBundleIdentifier: 'org.vendor.kit',
      CFBundleShortVersionString: '1.0',
    })
    const kit = writeMacho({ imports: ['_OBJC_CLASS_$_UIWebView', '_strcpy'] })
    const files = { [`${APP}Frameworks/Kit.framework/Info.plist`]: list, [`${APP}Frameworks/Kit.framework/Kit`]: kit }
    expect(item('ios-uiwebview', { files })).toMatchObject({ verdict: 'fail', owner: 'sdk' })
    expect(item('ios-dangerous-functions', { files })).toMatchObject({ level: 'info', owner: 'sdk' })
    expect(verdict('ios-frameworks-unsigned', { files, main: { signature: { team: 'TEAM' } } })).toBe('fail')
  })

  test('lists: schemes, versions, file sharing, background modes', () => {
    expect(
      item('ios-url-scheme', { info: { CFBundleURLTypes: [{ CFBundleURLSchemes: ['shop', 'wx12'] }] } }),
    ).toMatchObject({ level: 'info', details: ['registers shop://'] })
    expect(item('ios-min-os-low', { info: { MinimumOSVersion: '11.0' } }).level).toBe('middle')
    expect(item('ios-min-os-low', { info: { MinimumOSVersion: '13.4' } }).level).toBe('low')
    expect(verdict('ios-min-os-low', {})).toBe('pass')
    expect(item('ios-file-sharing', { info: { UIFileSharingEnabled: true, CFBundleDocumentTypes: [] } }).level).toBe(
      'info',
    )
    expect(verdict('ios-queries-schemes-many', { info: { LSApplicationQueriesSchemes: ['weixin', 'alipay'] } })).toBe(
      'pass',
    )
    expect(
      verdict('ios-queries-schemes-many', {
        info: { LSApplicationQueriesSchemes: Array.from({ length: 60 }, (_, i) => `s${i}`) },
      }),
    ).toBe('fail')
    expect(verdict('ios-background-modes-many', { info: { UIBackgroundModes: ['location'] } })).toBe('fail')
    expect(
      verdict('ios-background-modes-many', {
        info: { UIBackgroundModes: ['location'] },
        main: { imports: ['_OBJC_CLASS_$_CLLocationManager'] },
      }),
    ).toBe('pass')
  })

  test('an application without a code signature fails a high item, and its signer is not asked about', () => {
    expect(verdict('ios-signature-missing', { main: {} })).toBe('fail')
    expect(verdict('ios-signature-broken', { main: {} })).toBe('not_applicable')
    expect(verdict('ios-signature-untrusted', { main: {} })).toBe('not_applicable')
  })
})
