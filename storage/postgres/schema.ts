import type { Generated, JSONColumnType } from 'kysely'
import type { EntryBody } from '#contracts/http/investigation.ts'
import type { DeviceVerdict } from '#domain/device-score.ts'
import type { ExceptionKind, ExceptionState, SymbolKind } from '#domain/exceptions.ts'
import type { PolicyRules } from '#domain/policy-rules.ts'
import type { GuardReading } from '#domain/roll-out-guard.ts'
import type { AlertTables } from './alert-tables.ts'
import type { AssetTables } from './asset-tables.ts'
import type { CommunicationTables } from './communication-tables.ts'
import type { ComplianceTables } from './compliance-tables.ts'
import type { DetectionTables } from './detection-tables.ts'
import type { EnvironmentTables } from './environment-tables.ts'
import type { KnowledgeTables } from './knowledge-tables.ts'
import type { MonitoringTables } from './monitoring-tables.ts'
import type { NotificationTables } from './notification-tables.ts'
import type { ReinforceTables } from './reinforce-tables.ts'
import type { ReportTables } from './report-tables.ts'
import type { ScriptTables } from './script-tables.ts'
import type { ServiceTables } from './service-tables.ts'
import type { TrainingTables } from './training-tables.ts'

/** Tables of the metadata store. Times are epoch milliseconds (int8, read as number); secrets are stored as SHA-256 only. */
export type Database = AlertTables &
  AssetTables &
  CommunicationTables &
  ComplianceTables &
  DetectionTables &
  EnvironmentTables &
  KnowledgeTables &
  MonitoringTables &
  NotificationTables &
  ReinforceTables &
  ReportTables &
  ScriptTables &
  ServiceTables &
  TrainingTables & {
    settings: { key: string; value: JSONColumnType<object> }
    platform_files: {
      id: string
      /** A key of TEMPLATE_USES (contracts/http/platform-info.ts), one file each; null: uploaded and not saved yet. */
      use: string | null
      name: string
      /** UTF-8 text. */
      content: string
      bytes: number
      uploaded_by: number | null
      uploaded_at: number
    }
    /** Keys that the platform makes for itself, wrapped by the key-encryption key (server/platform/secrets.ts). */
    secrets: { name: string; wrapped: string; created_at: number }
    roles: {
      key: string
      zh: string
      en: string
      built_in: boolean
      /** The administrator mark of a custom role. */
      sees_all: boolean
      auth: string[]
      created_by: Generated<number | null>
      /** 0 for built-in roles. */
      created_at: Generated<number>
      updated_at: Generated<number>
      rev: Generated<number>
    }
    users: {
      id: Generated<number>
      username: string
      /** '': the account was invited and has no password yet. */
      password_hash: string
      /** Hashes of the last five, newest first. */
      password_history: string[]
      role: string
      super: boolean
      must_change_password: boolean
      /** When a generated first password stops working. */
      first_password_until: number | null
      expires_at: number | null
      disabled: boolean
      active_session: string | null
      created_at: number
      last_login_at: number | null
      /** A key of CUSTOMER_TYPES (contracts/http/users.ts). */
      customer_type: Generated<string>
      remarks: Generated<string>
      /** Applications that the account may own; null: no limit. */
      application_quota: Generated<number | null>
      created_by: Generated<number | null>
      /** Where the account comes from: a key of ACCOUNT_ORIGINS (contracts/http/users.ts). Only local ones have a password here. */
      origin: Generated<string>
    }
    /** Whom an account of another origin belongs to there: what that origin never uses again. */
    external_identities: {
      user_id: number
      origin: string
      /** The provider's identifier; '' for LDAP, of which there is one directory. */
      issuer: string
      subject: string
      /** The name that was typed at the last sign-in: the user filter finds the entry with it again. */
      login_name: string
      /** When the groups were last read. */
      checked_at: number
    }
    /** Licences that were applied; the last one is in force. `applied_by`: name of the account. */
    licences: { id: Generated<number>; code: string; applied_at: number; applied_by: string }
    /** SHA-256 (hex) of the token of an unused invitation link. */
    invitations: { user_id: number; hash: string; created_at: number; expires_at: number }
    /** Secrets of the one-time codes of an account, encrypted: the one in use, and a new one that no code has confirmed yet. */
    one_time_secrets: {
      user_id: number
      secret: Generated<string>
      confirmed_at: number | null
      pending: Generated<string>
      pending_at: number | null
      /** Time step of the last code that was taken: none of it or of an earlier one is taken again. */
      last_step: Generated<number>
    }
    recovery_codes: { user_id: number; hash: string; used_at: number | null }
    /** Sign-ins with the right password that wait for the second factor; SHA-256 (hex) of the token that the browser holds. */
    passkeys: {
      /** Credential id, base64url. */
      id: string
      user_id: number
      /** Host name of the console when it was made (the relying party's id). */
      host: string
      name: string
      /** COSE key, base64url. */
      public_key: string
      counter: number
      transports: string[]
      created_at: number
      last_used_at: number | null
    }
    /** `owner`: `user:<id>` of a registration, `step:<hash>` of a sign-in. */
    passkey_challenges: { owner: string; challenge: string; expires_at: number }
    /** A view: accounts with one-time codes or passkeys, and since when. */
    second_factors: { user_id: number; enabled_at: number }
    /** Key pairs that open encrypted requests, by number; the greatest is the current one (server/http/envelope-keys.ts). */
    envelope_keys: { kid: number; made_at: number }
    /** Signed requests that were accepted lately: `<session>|<nonce>`. */
    request_nonces: { nonce: string; used_at: number }
    sign_in_steps: { id: string; user_id: number; address: string; expires_at: number; tries: Generated<number> }
    /** Sign-ins with the provider that have begun: SHA-256 (hex) of the state and of the cookie of the browser. */
    oidc_attempts: { id: string; browser: string; nonce: string; verifier: string; expires_at: number }
    sessions: {
      /** SHA-256 of the cookie's value, hex. */
      id: string
      user_id: number
      /** Public label: the sid of envelopes. */
      label: string
      created_at: number
      last_input_at: number
      address: string
      agent: string
      ended_at: number | null
      end_reason: string | null
      /** The provider says that it asked for a second factor. */
      strong: Generated<boolean>
      /** Of the provider, sealed, for signing out there; '' for other sessions. */
      id_token: Generated<string>
    }
    verify_codes: { id: string; answer: string; expires_at: number }
    login_failures: { id: Generated<number>; account: string; address: string; at: number }
    access_tokens: {
      id: string
      user_id: number
      name: string
      hint: string
      hash: string
      scopes: string[]
      created_at: number
      expires_at: number
      last_used_at: number | null
      revoked_at: number | null
    }
    display_tokens: {
      id: string
      user_id: number
      name: string
      hint: string
      hash: string
      views: JSONColumnType<{ view: string; seconds: number }[]>
      created_at: number
      /** Epoch ms: refused from then on. */
      expires_at: number
      last_used_at: number | null
      revoked_at: number | null
    }
    live_tickets: { id: string; subject: JSONColumnType<LiveSubject>; expires_at: number }
    applications: {
      id: Generated<number>
      uuid: string
      name: string
      mime_type: number
      protect_type: string
      has_file: boolean
      owner_id: number
      site_id: number | null
      created_at: number
      deleted_at: number | null
      /** When protect_type was last changed; 0: never. */
      protect_changed_at: Generated<number>
      /** SHA-256 of the package whose upload created it. */
      created_from: Generated<string | null>
    }
    application_members: { application_id: number; user_id: number }
    ingest_keys: {
      id: string
      application_id: number
      kind: 'server' | 'enrolment'
      name: string
      hint: string
      hash: string
      /** Enrolment keys are public and can be shown again. */
      text: string | null
      scopes: string[]
      created_at: number
      last_used_at: number | null
      revoked_at: number | null
    }
    installs: {
      id: string
      ingest_key_id: string
      application_id: number
      device: string
      created_at: number
      revoked_at: number | null
    }
    sites: {
      id: Generated<number>
      name: string
      name_en: string
      longitude: number
      latitude: number
      /** Taken from a time zone, and not confirmed. */
      assumed: Generated<boolean>
    }
    saved_views: {
      id: string
      user_id: number
      page: string
      name: string
      shared: boolean
      search: string
      version: number
      updated_at: number
    }
    audit_log: {
      id: Generated<number>
      at: number
      account: string
      role: string
      action: string
      target: string
      result: string
      address: string
      detail: string
      /** JSON of AuditChange[] (contracts/audit-change.ts), or ''. */
      changes: Generated<string>
      /** SM3 over the entry and the hash before it: the chain that audit-verify recomputes. */
      hash: string
    }
    /** SM2 signatures over the hash of an entry (contracts/http/audit-log.ts, checkpointText). */
    audit_checkpoints: { id: number; at: number; entry_id: number; hash: string; signature: string }
    /** Where audit entries and checkpoints are copied to. */
    log_outputs: {
      id: string
      kind: 'syslog' | 'webhook'
      name: string
      /** JSON of OutputTarget (server/modules/audit-log/log-output.ts), encrypted. */
      target: string
      enabled: boolean
      /** Entries and checkpoints up to these ids were sent. */
      position: number
      checkpoint_position: number
      created_at: number
      last_sent_at: number | null
      /** Failed attempts since the last that was taken. */
      attempts: Generated<number>
      next_at: number | null
      error: Generated<string>
    }
    /** Sign-ins, console and token requests, one line a collector batch. */
    network_log: {
      id: Generated<number>
      at: number
      kind: string
      account: string
      application_id: number | null
      address: string
      method: string
      path: string
      status: number
      code: number
      size: number
      milliseconds: number
    }
    cases: {
      id: string
      title: string
      state: 'open' | 'closed'
      owner_id: number
      version: number
      created_at: number
      updated_at: number
      closed_at: number | null
    }
    case_entries: {
      id: string
      case_id: string
      kind: EntryBody['kind']
      /** Applications it is about; empty for a note. */
      apps: number[]
      /** subjectText of what it is about, `event:<appid>:<id>` of an event, '' of a note. */
      subject: string
      /** Personal data: erasure finds it by these columns. */
      device: string | null
      person: string | null
      body: JSONColumnType<EntryBody>
      note: string
      author: string
      at: number
      hash: string
      row_count: number
    }
    /** Checks, repairs and backups of platform maintenance. `account`: who asked for it; '': the schedule. */
    maintenance_runs: {
      id: string
      kind: 'check' | 'repair' | 'backup'
      state: string
      /** 0 to 1. */
      progress: Generated<number>
      step: string | null
      input: JSONColumnType<object>
      result: JSONColumnType<object> | null
      error: Generated<string>
      account: string
      /** How often a worker began it without reaching an end. */
      starts: Generated<number>
      created_at: number
      started_at: number | null
      ended_at: number | null
    }
    jobs: {
      id: string
      user_id: number
      kind: string
      title: string
      state: string
      progress: number | null
      note: string
      rows: number
      bytes: number
      input: JSONColumnType<object>
      /** Content-addressed result. */
      file: string | null
      file_name: string | null
      /** Of a report: its document model (JSON, gzip), content-addressed like the file. */
      document: Generated<string | null>
      created_at: number
      started_at: number | null
      ended_at: number | null
      /** How often a worker began it without reaching an end. */
      starts: Generated<number>
    }
    device_verdicts: {
      application_id: number
      device: string
      verdict: DeviceVerdict
      by_user: number | null
      at: number
      note: string
    }
    device_verdict_changes: {
      id: Generated<number>
      application_id: number
      device: string
      /** null: taken back. */
      verdict: DeviceVerdict | null
      by_user: number | null
      at: number
      note: string
    }
    /** What a released version is: the only truth that returns are compared with (decision 26). */
    baselines: {
      id: string
      application_id: number
      version: string
      package_name: string
      /** SHA-256 of the certificates that may sign it, lower-case hex. */
      signers: string[]
      /** SHA-256 by name of the part: classes.dex, lib/…; lower-case hex. */
      hashes: JSONColumnType<Record<string, string>>
      channels: string[]
      note: string
      rev: number
      by_user: number | null
      updated_at: number
    }
    /** Personal data that was deleted on request, with what went. */
    erasures: {
      id: string
      kind: 'device' | 'user'
      /** The hash itself is removed once the work is done; its first characters remain. */
      subject: string
      applications: number[]
      by_user: number | null
      asked_at: number
      done_at: number | null
      events: number
      quarantined: number
      installs: number
      verdicts: number
    }
    policies: {
      id: string
      application_id: number
      name: string
      draft: JSONColumnType<PolicyRules>
      /** Grows with every change. */
      rev: number
      archived_at: number | null
      created_at: number
      updated_at: number
      updated_by: number | null
    }
    /** What a policy said when it was deployed: never changed. */
    policy_versions: {
      policy_id: string
      version: number
      rules: JSONColumnType<PolicyRules>
      created_at: number
      created_by: number | null
    }
    /** Which devices get which version; of those that match a device the one with the highest serial wins. */
    policy_deployments: {
      id: string
      serial: Generated<number>
      application_id: number
      policy_id: string
      version: number
      /** Empty: all. */
      app_versions: string[]
      percent: number
      state: 'running' | 'paused' | 'ended'
      /** It stops by itself where the published rule says so (domain/roll-out-guard.ts). */
      guarded: Generated<boolean>
      created_at: number
      created_by: number | null
      changed_at: number
    }
    policy_deployment_changes: {
      id: Generated<number>
      deployment_id: string
      at: number
      /** null: the platform itself. */
      by_user: number | null
      what: string
      percent: number
      /** Of an automatic stop: the figures that it was about. */
      detail: JSONColumnType<GuardReading | null, string | null, string | null>
    }
    /** The policy each device fetched last: written by the collector in batches. */
    policy_fetches: {
      application_id: number
      device: string
      app_version: string
      /** '' and 0: no policy. */
      policy_id: string
      version: number
      fetched_at: number
    }
    /** Optional wire fields that apps must not send. */
    application_collection: { application_id: number; off: string[]; changed_at: number }
    /**
     * What a fingerprint computed by the collector maps to; computed when a person first opens it, and again when a mapping is uploaded.
     */
    exception_fingerprints: {
      application_id: number
      fingerprint: string
      kind: ExceptionKind
      /** The group it belongs to: the fingerprint itself, or that of the stack with its names given back. */
      group_id: string
      /** Class of the exception, signal or reason; no message: those may be personal. */
      type: string
      culprit: string
      /** Of the event that was looked at. */
      version: string
      platform: string
      obfuscated: boolean
      /** symbol_files.id that gave the names back. */
      symbols: string | null
      looked_at: number
    }
    /** Groups with a triage state; all others are open. */
    exception_groups: {
      application_id: number
      group_id: string
      state: ExceptionState
      resolved_version: string | null
      resolved_at: number | null
      ignored_until: number | null
      assignee: number | null
      rev: number
      updated_at: number
    }
    exception_history: {
      id: Generated<number>
      application_id: number
      group_id: string
      at: number
      by_user: number | null
      what: string
      detail: string
    }
    /** R8 mappings and source maps, one of a name for each version. */
    symbol_files: {
      id: string
      application_id: number
      version: string
      kind: SymbolKind
      /** Of a source map: file name of the script; of a mapping: ''. */
      name: string
      file: string
      /** Index of the classes in the mapping. */
      index_file: string | null
      size: number
      entries: number
      by_user: number | null
      created_at: number
    }
  }

/** Whom a live connection belongs to. */
export type LiveSubject = {
  kind: 'session' | 'token' | 'display'
  /** Id of the session, access token or display token: what 'revoked' notifications name. */
  id: string
  userId: number
  scope: { apps: 'all' | number[] }
  /** May read personal data: never on a wall. */
  personal: boolean
  /** Session roles and permission items; without events.read it gets notices and no topic. */
  auth: readonly string[]
  /** Epoch ms at which session, token or account expire at the latest; null without a limit. */
  until: number | null
}

/** Notifications between processes (LISTEN/NOTIFY); the payload is JSON. */
export const CHANNELS = {
  /** {kind: 'session'|'token'|'display'|'user', id, reason}: sockets and caches of it drop at once. */
  revoked: 'aw_revoked',
  /**
   * {what: 'applications'|'ingest_keys'|'sites'|'settings'|'roles'|'policies'|'licence'|'communication'}, or {what: 'verdicts', app, device}: caches of it are read
   * again. {what: 'erased'}: stored rows were deleted, counts in memory are made again.
   */
  changed: 'aw_changed',
  /** {id, userId}: a job changed. */
  job: 'aw_job',
  /** {users}: notifications of these accounts were added, read or deleted. */
  notification: 'aw_notification',
  /** {alert}: as in domain/alerts.ts, raised or changed. */
  alert: 'aw_alert',
  /** {id}: a run of platform maintenance changed. */
  maintenance: 'aw_maintenance',
  /** {id, state}: a detection task started, ended, was stopped or was requested. */
  detection: 'aw_detection',
  /** {id}: of a script (script_files.id) or of its measuring (measure_id), which was asked for, ended or was stopped. */
  script: 'aw_script',
  /** {id}: a monitoring task was asked for, started, ended or was stopped. */
  monitor: 'aw_monitor',
  /** {id}: a reinforcement task was asked for, started, ended or was stopped. */
  reinforce: 'aw_reinforce',
} as const
