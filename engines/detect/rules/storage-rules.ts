import type { CallSite, Program } from '../../dex/program.ts'
import { isFinance, isOneOf } from './application-type.ts'
import {
  callHits,
  callKey,
  callsIn,
  callsTo,
  classCalls,
  isOwn,
  numberArgument,
  parameterTypes,
  stringArgument,
} from './code.ts'
import { externalStorage } from './external-storage.ts'
import { classHit, codeHit } from './hits.ts'
import { masked } from './mask.ts'
import { pieceHit } from './pieces.ts'
import { type CodeContext, codeRule, type Hit, type RuleTable, text } from './rule.ts'
import { sensitiveLogs } from './sensitive-logs.ts'
import { sqlStatements } from './sql-statements.ts'
import { passes, traceArgument } from './trace.ts'

const PREFERENCE_KEY =
  /passw|passcode|passphrase|(?:^|[^a-z])pass(?:$|[^a-z])|pwd|token|secret|session|idcard|bankcard|pin$/i

const PREFERENCES = 'Landroid/content/SharedPreferences$Editor;->'

const ENCRYPTED_STORES = ['EncryptedSharedPreferences', 'MMKV;->mmkvWithID', 'Cipher;->doFinal(', 'SecurePreferences']

/** What Google Play services keep for their clients, in the folder of their own package. */
const PLAY_SERVICES_FLAGS = /^google_(?:ads|sdk)_flags$/

/** A file of another application, which this one cannot create: the mode has no effect. */
const isOfAnother = ({ program }: CodeContext, call: CallSite): boolean =>
  PLAY_SERVICES_FLAGS.test(stringArgument(program, call, 1) ?? '') ||
  passes(traceArgument(program, call, 0, 0), ';->createPackageContext(')

export const storageRules: RuleTable = {
  'android-world-readable-file': codeRule((context) =>
    callHits(
      context,
      [
        'L*;->openFileOutput(Ljava/lang/String;I)',
        'L*;->getSharedPreferences(Ljava/lang/String;I)',
        'L*;->openOrCreateDatabase(Ljava/lang/String;I',
      ],
      (call) => {
        const mode = numberArgument(context.program, call, 2)
        if (mode === undefined || !(mode & 3)) return false
        if (isOfAnother(context, call)) return { what: `mode ${mode}, of another application`, level: 'low' }
        if (call.method.owner.startsWith('Lcom/google/android/gms/'))
          return { what: `mode ${mode}, of Google Play services`, level: 'low' }
        return { what: `mode ${mode}`, ...(context.targetSdk >= 24 && context.facts && { level: 'low' as const }) }
      },
    ),
  ),

  'android-file-set-readable': codeRule((context) => {
    const hits = callHits(context, ['Ljava/io/File;->setReadable(', 'Ljava/io/File;->setWritable('], (call) => {
      const { program } = context
      const opened = numberArgument(program, call, 1) === 1
      return opened && parameterTypes(call.callee).length === 2 && numberArgument(program, call, 2) === 0
        ? {
            what: 'ownerOnly=false',
            ...(keepsAdvertisements(program, call) || call.method.owner === PUBLISHER
              ? { level: 'info' as const }
              : !isOwn(context, call) && { level: 'low' as const }),
          }
        : false
    })
    for (const piece of context.texts.pieces)
      if (
        piece.source === 'code' &&
        /chmod\s+(?:-R\s+)?(?:0?777|0?666|a\+w)/.test(piece.text) &&
        piece.constant?.locations.some(({ method }) =>
          callsIn(
            context.program,
            method,
            'Runtime;->exec(',
            'ProcessBuilder;',
            'DataOutputStream;->writeBytes(',
            '->exec(',
          ),
        )
      )
        hits.push(
          pieceHit(context, piece, 'chmod', text(`执行 ${piece.text.slice(0, 80)}`, `runs ${piece.text.slice(0, 80)}`)),
        )
    return hits
  }),

  'android-external-storage-sensitive': codeRule((context) => externalStorage(context)),

  'android-external-code-load': codeRule((context) =>
    callsTo(
      context,
      'Ldalvik/system/DexClassLoader;-><init>(',
      'Ldalvik/system/PathClassLoader;-><init>(',
      'Ljava/lang/System;->load(',
      'Ljava/lang/Runtime;->load(',
    ).flatMap((call): Hit[] => {
      const trace = traceArgument(context.program, call, 1)
      const outside =
        passes(trace, 'Environment;->getExternal', '->getExternalFilesDir(', '->getExternalCacheDir(') ||
        [...trace.strings].some(
          (value) =>
            value.startsWith('/sdcard') || value.startsWith('/mnt/sdcard') || value.startsWith('/storage/emulated'),
        )
      return outside
        ? [codeHit(call, callKey(call, 'external'), text('从外部存储加载代码', 'loads code from external storage'))]
        : []
    }),
  ),

  'android-sharedpref-sensitive': codeRule((context) => ({
    hits: callHits(context, [`${PREFERENCES}putString(`], (call) => {
      const { program } = context
      const key = stringArgument(program, call, 1)
      if (!key || !isOwn(context, call) || !PREFERENCE_KEY.test(key) || NO_CREDENTIAL.test(key)) return false
      const value = traceArgument(program, call, 2, 0)
      if (passes(value, 'Cipher;->doFinal(', 'encrypt', 'Encrypt')) return false
      return classCalls(program, call.method.owner, ...ENCRYPTED_STORES) ? false : { what: key }
    }),
    looked: callsTo(context, PREFERENCES),
  })),

  'android-sqlite-unencrypted': codeRule((context) => {
    const { program } = context
    const encrypted =
      callsTo(
        context,
        'Lnet/sqlcipher/database/SQLiteOpenHelper;->getWritableDatabase(',
        'Lnet/sqlcipher/database/SQLiteDatabase;->openOrCreateDatabase(',
        'Lcom/tencent/wcdb/database/SQLiteDatabase;->openOrCreateDatabase([B',
        'Lnet/sqlcipher/database/SupportFactory;-><init>(',
        'Lnet/zetetic/database/sqlcipher/SupportOpenHelperFactory;-><init>(',
      ).length > 0
    if (encrypted) return []
    const level = isFinance(context) || isOneOf(context, 'consultation_registration') ? 'middle' : undefined
    return ['Landroid/database/sqlite/SQLiteOpenHelper;', 'Landroidx/room/RoomDatabase;'].flatMap((ancestor) =>
      program
        .subclassesOf(ancestor)
        .filter(({ descriptor }) => context.ownerOf(descriptor).kind !== 'sdk' && !/_Impl;$/.test(descriptor))
        .map((found) => classHit(found, 'database', text('数据库未加密', 'the database is not encrypted'), level)),
    )
  }),

  'android-sqlcipher-hardcoded-key': codeRule((context) =>
    [
      'Lnet/sqlcipher/database/SQLiteOpenHelper;->getWritableDatabase(',
      'Lnet/sqlcipher/database/SQLiteOpenHelper;->getReadableDatabase(',
      'Lnet/sqlcipher/database/SQLiteDatabase;->openOrCreateDatabase(',
      'Lnet/sqlcipher/database/SQLiteDatabase;->openDatabase(',
      'Lcom/tencent/wcdb/database/SQLiteDatabase;->openOrCreateDatabase(',
    ].flatMap((pattern) =>
      callHits(context, [pattern], (call) => {
        const opens = call.callee.includes('openOrCreate') || call.callee.includes('openDatabase')
        const value = context.program.argument(call, opens ? 2 : 1)
        const key =
          value.kind === 'string'
            ? value.value
            : value.kind === 'call' && value.callee.startsWith('Ljava/lang/String;->getBytes(')
              ? stringOf(context, value.location)
              : undefined
        return key ? { what: masked(key) } : false
      }),
    ),
  ),

  'android-sql-injection-local': codeRule((context) => sqlStatements(context)),

  'android-temp-file': codeRule((context) =>
    callHits(
      context,
      ['Ljava/io/File;->createTempFile('],
      (call) =>
        isOwn(context, call) &&
        !classCalls(context.program, call.method.owner, 'Ljava/io/File;->delete', 'Ljava/nio/file/Files;->delete'),
    ),
  ),

  'android-log-sensitive': codeRule((context) => sensitiveLogs(context)),

  'android-print-stack-trace': codeRule((context) => {
    const calls = callsTo(context, 'L*;->printStackTrace()V').filter((call) => isOwn(context, call))
    return calls.length > 20
      ? calls.map((call) => codeHit(call, 'printStackTrace', text('打印异常堆栈', 'prints a stack trace')))
      : []
  }),

  'android-clipboard-sensitive': codeRule((context) =>
    callHits(context, ['Landroid/content/ClipboardManager;->setPrimaryClip('], (call) => {
      const { program } = context
      const trace = traceArgument(program, call, 1)
      if (callsIn(program, call.method, 'ClipDescription;->setExtras(')) return false
      const label = [...trace.strings].find(
        (value) => /pass|pin\b|token|card|pwd|secret|code/i.test(value) && !/invit/i.test(value),
      )
      const source =
        passes(trace, '->getText(') &&
        /pass|pwd|card|pin|token/i.test([...trace.fields].join(' ') + call.method.owner + call.method.name)
      return isOwn(context, call) && (label !== undefined || source) ? { what: label ?? 'text field' } : false
    }),
  ),
}

const stringOf = (context: CodeContext, call: CallSite): string | undefined => {
  const value = context.program.argument(call, 0)
  return value.kind === 'string' ? value.value : undefined
}

/** The cache of films of Google's advertisements, whatever its class is called now: anybody may see them. */
const keepsAdvertisements = (program: Program, { method: { owner } }: CallSite): boolean =>
  program.stringUses('admobVideoStreams').some(({ method }) => method.owner === owner)
/** Of Google Play services: opens preferences with the name of the browser to them. */
const PUBLISHER = 'Lcom/google/android/gms/common/util/SharedPreferencesUtils;'

/** A setting that passwords shall be kept, and the browser that Android's library for web applications checked. */
const NO_CREDENTIAL = /remember_?pass|^SharedPreferencesTokenStore\.TOKEN$/i
