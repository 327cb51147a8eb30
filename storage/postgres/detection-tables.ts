import type { Generated, JSONColumnType } from 'kysely'
import type {
  ApplicationType,
  DetectionKind,
  FindingLevel,
  OwnerKind,
  PhoneRun,
  TaskStage,
  TaskState,
} from '#contracts/detection/kinds.ts'
import type { LevelCounts, PackageKind, Text } from '#contracts/detection/scan-result.ts'
import type { StrategyRules, TaskLogLine } from '#contracts/http/detection/tasks.ts'

/** Tables of detection. */
export type DetectionTables = {
  detection_strategies: {
    id: string
    name: string
    note: string
    rules: JSONColumnType<StrategyRules>
    rev: number
    by_user: number | null
    updated_at: number
  }
  /** One examination of one package. Package facts are copied here: files are deleted before tasks are. */
  detection_tasks: {
    id: string
    application_id: number | null
    file_id: number | null
    /** Who uploaded the file: sees the task where it belongs to no application. */
    owner_id: number | null
    by_user: number | null
    name: string
    package_id: string
    version: string
    package_kind: PackageKind
    platform: 'android' | 'ios'
    size: number
    md5: string
    /** Name in the file store. */
    sha256: string
    application_type: ApplicationType | ''
    kinds: DetectionKind[]
    strategy_id: string
    strategy_name: JSONColumnType<Text>
    strategy: JSONColumnType<StrategyRules>
    /** Of engine and rules. */
    engine: string
    /** Content, engine, strategy, kinds and owner: unique among unfinished tasks. */
    identity: string
    priority: number
    /** Of dynamic detection. */
    phone: JSONColumnType<{ serial: string; model: string; run: PhoneRun }> | null
    /** Screenshots of the result, in the file store. */
    pictures: string[]
    state: TaskState
    stage: TaskStage
    progress: number
    /** Error key with its parameters, where it did not end well. */
    note: string
    note_detail: string
    stages: JSONColumnType<{ stage: TaskStage; from: number; to: number | null }[]>
    isolation: string[]
    attempt: number
    /** Zipped JSON in the file store. */
    result_file: string | null
    /** Below: result facts with the suppressions that applied at their last change. */
    score: number | null
    counts: JSONColumnType<LevelCounts> | null
    gate: 'pass' | 'fail' | null
    suppressed: number
    not_assessed: number
    packer: string | null
    privacy: JSONColumnType<Record<string, number>> | null
    created_at: number
    started_at: number | null
    ended_at: number | null
    /** Its components are in detection_components. */
    components_kept: Generated<boolean>
  }
  /** Dependencies of detected packages, in the order of their result: compared with the vulnerability library. */
  detection_components: {
    task_id: string
    place: number
    /** productKey of engines/vulnlib of the name. */
    product: string
    group_name: string
    name: string
    version: string
    /** Numbers that the engine's own list names for this version. */
    vulnerabilities: string[]
  }
  detection_log: {
    id: Generated<number>
    task_id: string
    at: number
    stage: TaskStage
    level: TaskLogLine['level']
    zh: string
    en: string
  }
  /** Failed items of finished tasks: counted across applications. */
  detection_failures: {
    task_id: string
    item: string
    level: FindingLevel
    category: string
    hits: number
    owner: OwnerKind | null
    /** Suppressed: does not count. */
    muted: boolean
  }
  /** Of a package in an application, for all its versions. */
  detection_suppressions: {
    id: string
    application_id: number | null
    /** As in detection_tasks, where it belongs to no application. */
    owner_id: number | null
    package_id: string
    platform: 'android' | 'ios'
    item: string
    /** '' : the whole item. */
    fingerprint: string
    reason: string
    until: number | null
    by_user: number | null
    approver_id: number | null
    task_id: string | null
    created_at: number
    approved_at: number | null
    /** Its end was taken into account. */
    ended: boolean
  }
  detection_own_rules: {
    id: string
    name: string
    level: FindingLevel
    expression: string
    threat: string
    advice: string
    enabled: boolean
    rev: number
    by_user: number | null
    updated_at: number
  }
}
