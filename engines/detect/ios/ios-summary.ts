import { createHash } from 'node:crypto'
import type { IosPackage } from '../../package/package.ts'
import type { PackageSummary } from '../result/scan-result.ts'
import type { IosContext } from './ios-context.ts'

/** What an iOS package is. */
export function summariseIos(source: IosPackage, { app, main, binaries, signature }: IosContext): PackageSummary {
  const hash = (name: string) => createHash(name).update(source.bytes).digest('hex')
  const { state, certificates } = signature
  return {
    kind: 'ipa',
    platform: 'ios',
    name: app.displayName?.value || app.name?.value || app.bundleId?.value || source.name.replace(/^.*[\\/]/, ''),
    id: app.bundleId?.value ?? '',
    version: app.version?.value ?? '',
    build: app.build?.value ?? '',
    minSdk: app.minOs?.value ?? '',
    targetSdk: app.sdk?.value.replace(/^\D+/, '') ?? '',
    size: source.bytes.length,
    md5: hash('md5'),
    sha1: hash('sha1'),
    sha256: hash('sha256'),
    mainClass: app.executable ?? '',
    abis: main ? [...new Set(main.binary.macho.images.map(({ cpu }) => cpu))].sort() : [],
    dexCount: 0,
    classCount: binaries.reduce((sum, { objc }) => sum + objc.classes.length, 0),
    packer: null,
    signed: certificates.length > 0,
    signature: state,
    schemes: state === 'verified' ? ['code signature'] : [],
  }
}
