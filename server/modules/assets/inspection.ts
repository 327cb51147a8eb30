import type { PackageFacts } from '#contracts/http/assets.ts'

/** What reading a package found; travels from the reading process as JSON. */
export type Inspection = {
  kind: string
  platform: 'android' | 'ios'
  /** Label of the application, '' where it names none. */
  name: string
  version: string
  versionCode: string
  packageName: string
  packer: string
  signers: string[]
  signature: 'verified' | 'broken' | 'unsigned' | 'unknown'
  facts: PackageFacts
  /** PNG, base64. */
  icon: string | null
}

/** What the reading process answers: one of these. */
export type InspectionAnswer =
  | { found: Inspection }
  | {
      refused: { key: 'asset.unreadable' | 'asset.unknown_kind'; detail: string }
    }
