import { expect, test } from 'vitest'
import type { SdkResult } from '../result/scan-result.ts'
import { findDependencies } from './find-dependencies.ts'
import { affecting, NATIVE_COMPONENTS } from './known-vulnerabilities.ts'

const packageOf = (files: Record<string, string>) => ({
  entries: Object.entries(files).map(([name, text]) => ({ name, size: Buffer.byteLength(text) })) as never,
  read: (name: string) => (files[name] === undefined ? null : Buffer.from(files[name])),
})
const sdk = (id: string, version: string | null): SdkResult => ({
  id,
  name: { zh: id, en: id },
  vendor: '',
  category: 'tool',
  country: '',
  version,
  state: 'called',
  personalInfo: [],
  permissions: [],
  evidence: [{ entry: 'classes.dex', offset: 4 }],
  confidence: 'high',
})
const short = (found: ReturnType<typeof findDependencies>) => found.map(({ purl, technique }) => [purl, technique])

test('version files of Gradle, Maven and Google name artifacts, also below the modules of a bundle', () => {
  const files = {
    'META-INF/androidx.core_core-ktx.version': '1.13.1\n',
    'META-INF/com.google.dagger_dagger_android.version': '2.51',
    'META-INF/kotlinx_coroutines_core.version': '1.8.0',
    'META-INF/kotlinx_coroutines_play_services.version': '1.8.0',
    'base/root/META-INF/androidx.room_room-runtime.version': '2.6.1',
    'META-INF/maven/com.google.code.gson/gson/pom.properties': '#x\nversion=2.8.5\ngroupId=com.google.code.gson\n',
    'META-INF/maven/com.google.code.gson/gson/pom.xml':
      '<project><licenses><license><name>Apache 2.0</name></license><license><name>House</name></license></licenses></project>',
    'play-services-base.properties': 'version=18.2.0\nclient=play-services-base\n',
    'firebase-common.properties': 'version=20.3.3\nclient=firebase-common\n',
  }
  const found = findDependencies(packageOf(files), [], [])
  expect(found.map(({ purl }) => purl)).toEqual([
    'pkg:maven/androidx.core/core-ktx@1.13.1',
    'pkg:maven/androidx.room/room-runtime@2.6.1',
    'pkg:maven/com.google.android.gms/play-services-base@18.2.0',
    'pkg:maven/com.google.code.gson/gson@2.8.5',
    'pkg:maven/com.google.dagger/dagger_android@2.51',
    'pkg:maven/com.google.firebase/firebase-common@20.3.3',
    'pkg:maven/org.jetbrains.kotlinx/kotlinx-coroutines-core@1.8.0',
    'pkg:maven/org.jetbrains.kotlinx/kotlinx-coroutines-play-services@1.8.0',
  ])
  expect(found[3]).toMatchObject({
    sdk: 'gson',
    vulnerabilities: ['CVE-2022-25647'],
    licenses: [{ id: 'Apache-2.0' }, { name: 'House' }],
    places: [{ entry: 'META-INF/maven/com.google.code.gson/gson/pom.properties' }],
  })
})

test('files that are not version files, and versions that are none, name nothing', () => {
  const files = {
    'META-INF/x_y.version': '1.0',
    'settings.properties': 'version=1.0',
    'res/raw/play-services-base.properties': 'version=18.2.0',
    'META-INF/maven/a.b/c/pom.properties': '',
  }
  expect(findDependencies(packageOf(files), [], [])).toEqual([])
})

test('a version file with the placeholder of a build names its artifact without a version, unless code says it', () => {
  const placeholder = "task ':core:writeVersionFile' property 'version'"
  const files = {
    'META-INF/androidx.core_core.version': placeholder,
    'META-INF/com.google.code.gson_gson.version': placeholder,
  }
  expect(short(findDependencies(packageOf(files), [sdk('gson', '2.8.9')], []))).toEqual([
    ['pkg:maven/androidx.core/core', 'manifest-analysis'],
    ['pkg:maven/com.google.code.gson/gson@2.8.9', 'binary-analysis'],
  ])
  expect(findDependencies(packageOf(files), [sdk('gson', null)], [])[1]).toMatchObject({
    version: '',
    vulnerabilities: [],
  })
})

test('an SDK whose version was read from code is a dependency unless a version file names the same artifact', () => {
  const files = { 'META-INF/maven/com.google.code.gson/gson/pom.properties': 'version=2.8.9' }
  const sdks = [sdk('gson', '2.8.5'), sdk('fastjson', '1.2.24'), sdk('bugly', '4.1.9'), sdk('other', null)]
  expect(short(findDependencies(packageOf(files), sdks, []))).toEqual([
    ['pkg:generic/bugly@4.1.9', 'binary-analysis'],
    ['pkg:maven/com.alibaba/fastjson@1.2.24', 'binary-analysis'],
    ['pkg:maven/com.google.code.gson/gson@2.8.9', 'manifest-analysis'],
  ])
})

test('components that native libraries name in their texts are dependencies with all their locations', () => {
  const texts = [{ value: 'OpenSSL 1.1.1k  25 Mar 2021', offset: 64 }]
  const binaries = ['libssl.so', 'libcrypto.so'].map((name) => ({ entry: `lib/arm64-v8a/${name}`, name, texts }))
  const [found, ...rest] = findDependencies(packageOf({}), [], binaries)
  expect(rest).toEqual([])
  expect(found).toMatchObject({ purl: 'pkg:generic/openssl@1.1.1k', name: 'OpenSSL', version: '1.1.1k' })
  expect(found?.places.map(({ entry }) => entry)).toEqual(binaries.map(({ entry }) => entry))
  expect(found?.vulnerabilities).toContain('CVE-2023-0286')
})

test('a flaw of one processor counts where the folder of the library names no other', () => {
  const { ranges } = NATIVE_COMPONENTS.find(({ component }) => component === 'OpenSSL')!
  const affected = (entry: string) => affecting(ranges, '1.0.1s', entry).includes('CVE-2016-2107')
  expect(['lib/x86_64/a.so', 'jni/x86/a.so', 'assets/a.so', 'a.so'].map(affected)).toEqual([true, true, true, true])
  expect(['lib/arm64-v8a/a.so', 'assets/armeabi/a.so', 'Payload/A.app/A', ''].map(affected)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
