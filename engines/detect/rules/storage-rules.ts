import type { CallSite, MethodFacts, Program } from '../../dex/program.ts'
import { layouts } from '../evidence/layouts.ts'
import { attributeText, elementsOf } from '../evidence/xml-text.ts'
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
import { classHit, codeHit, wholeHit } from './hits.ts'
import { keyboardCache } from './keyboard-cache.ts'
import { masked } from './mask.ts'
import { pieceHit } from './pieces.ts'
import {
  appRule,
  type CodeContext,
  codeRule,
  type Hit,
  manifestRule,
  notApplicable,
  type Outcome,
  type RuleTable,
  text,
} from './rule.ts'
import { passes, traceArgument } from './trace.ts'
import { guardedByDebug } from './webview-rules.ts'

const SQL =
  /^L(?:android\/database\/sqlite|net\/sqlcipher\/database|net\/zetetic\/database\/sqlcipher)\/SQLiteDatabase;->(?:rawQuery|execSQL)\(/
const SENSITIVE_WORD = /passw|passcode|passphrase|(?:^|[^a-z])pass(?:$|[^a-z])|token|pwd|secret|idcard|cookie/i
/** A tag that names the value after it, not the name of a class. */
/** Fields and getters that hold a credential. */
const CREDENTIAL_NAME =
  /^m?_?(?:user|login|old|new|confirm)?_?(?:passw(?:or)?d|passcode|passphrase|pwd|pin|otp|cvv|secret(?:key)?|(?:access|auth|session|refresh)?_?token)$/i
const fieldName = (field: string): string => field.slice(field.indexOf('->') + 2, field.indexOf(':'))
const SENSITIVE_TAG =
  /^(?:password|passwd|passcode|pwd|pin|cvv|token|(?:access|auth)_?token|secret|cookie)$|^(?:access|auth)Token$/
const PREFERENCE_KEY =
  /passw|passcode|passphrase|(?:^|[^a-z])pass(?:$|[^a-z])|pwd|token|secret|session|idcard|bankcard|pin$/i
const PREFERENCES = 'Landroid/content/SharedPreferences$Editor;->'
const ENCRYPTED_STORES = ['EncryptedSharedPreferences', 'MMKV;->mmkvWithID', 'Cipher;->doFinal(', 'SecurePreferences']

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
        return { what: `mode ${mode}`, ...(context.targetSdk >= 24 && context.facts && { level: 'low' as const }) }
      },
    ),
  ),

  'android-file-set-readable': codeRule((context) => {
    const hits = callHits(context, ['Ljava/io/File;->setReadable(', 'Ljava/io/File;->setWritable('], (call) => {
      const { program } = context
      const opened = numberArgument(program, call, 1) === 1
      return opened && parameterTypes(call.callee).length === 2 && numberArgument(program, call, 2) === 0
        ? { what: 'ownerOnly=false' }
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
      if (!key || !isOwn(context, call) || !PREFERENCE_KEY.test(key) || /remember_?pass/i.test(key)) return false
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

  'android-sql-injection-local': codeRule((context) => sqlConcatenation(context)),

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

  'android-screenshot-unprotected': codeRule((context) => {
    const secured = callsTo(context, 'Landroid/view/Window;->setFlags(', 'Landroid/view/Window;->addFlags(').some(
      (call) => ((numberArgument(context.program, call, 1) ?? 0) & 0x2000) !== 0,
    )
    const has = context.facts?.components.some(({ kind }) => kind === 'activity')
    if (!has) return notApplicable('没有界面', 'there are no screens')
    return secured
      ? []
      : [
          wholeHit(
            context,
            'no FLAG_SECURE',
            text('没有界面使用 FLAG_SECURE', 'no screen uses FLAG_SECURE'),
            isFinance(context) || isOneOf(context, 'instant_messaging') ? 'middle' : undefined,
          ),
        ]
  }),

  'android-keyboard-cache': manifestRule((context) => keyboardCache(context)),

  'android-tapjacking': appRule((context) => {
    if (!context.facts.components.some(({ kind }) => kind === 'activity'))
      return notApplicable('没有界面', 'there are no screens')
    const called = callsTo(
      context,
      'L*;->setFilterTouchesWhenObscured(',
      'Landroid/view/Window;->setHideOverlayWindows(',
    ).some((call) => numberArgument(context.program, call, 1) === 1)
    if (
      called ||
      layouts(context).some(({ root }) =>
        [...elementsOf(root)].some(({ element }) => attributeText(element, 'filterTouchesWhenObscured') === 'true'),
      )
    )
      return []
    return [
      wholeHit(
        context,
        'no touch filter',
        text('没有遮挡触摸过滤', 'nothing filters touches through overlays'),
        isFinance(context) ? 'middle' : undefined,
      ),
    ]
  }),

  'android-activity-hijack-detect-absent': codeRule((context) => {
    if (!isFinance(context))
      return notApplicable('只对金融支付类应用提出', 'asked of finance and payment applications only')
    const found = [...context.program.subclassesOf('Landroid/app/Activity;')].some((found) =>
      found.methods.some(
        (method) =>
          /^on(?:Pause|Stop|UserLeaveHint)$/.test(method.name) &&
          callsIn(
            context.program,
            method,
            '->getRunningTasks(',
            '->getAppTasks(',
            'Toast;->makeText(',
            'NotificationManager;->notify(',
            'getRunningAppProcesses(',
          ),
      ),
    )
    return found
      ? []
      : [wholeHit(context, 'no hijack check', text('没有界面劫持检测', 'nothing notices a screen put on top'))]
  }),

  'android-secure-keyboard-absent': codeRule((context) => {
    if (!isFinance(context))
      return notApplicable('只对金融支付类应用提出', 'asked of finance and payment applications only')
    const known = context.sdks.some(({ id }) =>
      ['cfca-keyboard', 'microdone', 'yitong-keyboard', 'bangcle-crypto'].includes(id),
    )
    const own = callsTo(context, 'Landroid/inputmethodservice/KeyboardView;->setKeyboard(').some((call) =>
      isOwn(context, call),
    )
    return known || own
      ? []
      : [wholeHit(context, 'no secure keyboard', text('没有安全键盘', 'there is no secure keyboard'))]
  }),
}

const stringOf = (context: CodeContext, call: CallSite): string | undefined => {
  const value = context.program.argument(call, 0)
  return value.kind === 'string' ? value.value : undefined
}

const WRITES = [
  'Ljava/io/FileOutputStream;-><init>',
  'Ljava/io/FileWriter;-><init>',
  'Ljava/io/RandomAccessFile;-><init>',
  'Ljava/io/PrintWriter;-><init>',
  'Ljava/io/File;->renameTo(',
  'Ljava/nio/file/Files;->write',
  'Ljava/nio/file/Files;->newOutputStream',
  'Lokio/Okio;->sink(Ljava/io/File;',
  'Landroid/content/ContentResolver;->openOutputStream(',
  'Landroid/media/MediaMuxer;-><init>',
  'Lkotlin/io/FilesKt',
  'ParcelFileDescriptor;->open',
  '->setDestinationUri',
  '->setOutputFile',
  '->setDestinationInExternal',
]
/** Copying files or streams, not arrays, pictures or texts. */
const COPIES = /->(?:copy|move)\w*\([^)]*L(?:java\/io\/(?:File|InputStream|OutputStream)|java\/nio\/file\/Path);/
const READS = [
  'Ljava/io/FileInputStream;-><init>',
  'Ljava/io/FileReader;-><init>',
  'Ljava/util/Scanner;-><init>(Ljava/io/File;',
  'Ljava/io/File;->delete',
  'Ljava/io/File;->list',
  'Ljava/nio/file/Files;->delete',
  'Landroid/os/StatFs;-><init>',
  'Landroid/graphics/BitmapFactory;->decodeFile(',
]

function externalStorage(context: CodeContext): Outcome {
  const hits: Hit[] = []
  const { program } = context
  const writes = (method: MethodFacts): boolean =>
    program.callsFrom(method).some(({ callee }) => WRITES.some((part) => callee.includes(part)) || COPIES.test(callee))
  /** A method that only reads, deletes or makes folders there writes nothing; any other may hand the folder to one of its class that writes. */
  const writers = (call: CallSite): boolean =>
    writes(call.method) ||
    (!callsIn(program, call.method, ...READS) &&
      handsOn(context, call.method) &&
      (program.classOf(call.method.owner)?.methods.some(writes) ?? false))
  for (const call of callsTo(
    context,
    'Landroid/os/Environment;->getExternalStorageDirectory()',
    'Landroid/os/Environment;->getExternalStoragePublicDirectory(',
  ))
    if (isOwn(context, call) && writers(call))
      hits.push(codeHit(call, callKey(call), text('在共享外部存储写文件', 'writes to shared external storage')))
  for (const call of callsTo(context, 'L*;->getExternalFilesDir(', 'L*;->getExternalCacheDir('))
    if (isOwn(context, call) && writers(call))
      hits.push(
        codeHit(
          call,
          callKey(call),
          text('在应用外部目录写文件', "writes to the application's external folder"),
          'low',
        ),
      )
  return {
    hits,
    looked: callsTo(context, 'Ljava/io/File;->createTempFile(', 'L*;->openFileOutput(', 'L*;->getFilesDir('),
  }
}

/** Does a method give an object to somebody else: as its result, in a field, or to a method of the package? */
function handsOn({ program }: CodeContext, method: MethodFacts): boolean {
  return (
    /^[L[]/.test(method.returns) ||
    program
      .fieldUses(method.owner)
      .some((use) => use.write && /:[L[]/.test(use.field) && use.method.reference === method.reference) ||
    program.callsFrom(method).some(({ callee }) => {
      const types = parameterTypes(callee).join('')
      return (
        program.classOf(callee.slice(0, callee.indexOf('->'))) !== undefined &&
        /Ljava\/(?:io\/File|lang\/String|lang\/Object);|Landroid\/net\/Uri;/.test(types)
      )
    })
  )
}

/** Statements put together from what somebody gives; statements that make or drop tables hold nothing of the kind. */
function sqlConcatenation(context: CodeContext): Hit[] {
  const { program } = context
  return callsTo(context, 'L*;->rawQuery(', 'L*;->execSQL(').flatMap((call): Hit[] => {
    if (!isOwn(context, call) || !SQL.test(call.callee)) return []
    const built = program.argument(call, 1)
    // A number is no way to write SQL.
    const trace = traceArgument(program, call, 1, 2, 'texts')
    const joined = [...trace.calls].some((callee) =>
      /StringBuilder;->append|String;->(?:concat|format)|StringBuffer;->append|Intrinsics;->stringPlus/.test(callee),
    )
    const statement = [...trace.strings].join(' ')
    if (
      built.kind === 'string' ||
      !joined ||
      !trace.variable ||
      /^\s*(?:create|drop|alter|pragma|vacuum)\b/i.test(statement)
    )
      return []
    const input = trace.fromParameter || passes(trace, '->getText(', 'Intent;->get', 'Bundle;->get', 'Uri;->get')
    if (!input) return []
    return [
      codeHit(call, callKey(call, 'concatenated'), text('拼接 SQL 语句', 'puts an SQL statement together from parts')),
    ]
  })
}

/** Of an exception: what went wrong, not what the program holds. */
const OF_EXCEPTION = /^L[\w/$]*(?:Exception|Throwable|Error);->(?:getMessage|getLocalizedMessage|toString)\(/

/** Is the message a constant label: made by a formatter that gets no values, or with nothing but the message of an exception behind it? */
function isLabel(program: Program, call: CallSite, n: number): boolean {
  const value = program.argument(call, n)
  if (value.kind !== 'call') return false
  const types = parameterTypes(value.callee)
  if (types.at(-1) === '[Ljava/lang/Object;') {
    const values = program.argument(value.location, types.length)
    const format = program.argument(value.location, types.length - 1)
    if (format.kind === 'string' && values.kind === 'array' && values.length === 0) return true
  }
  const trace = traceArgument(program, call, n, 0)
  const calls = [...trace.calls].filter(
    (callee) => !/^Ljava\/lang\/(?:String|StringBuilder|StringBuffer);/.test(callee),
  )
  return (
    calls.length > 0 && calls.every((callee) => OF_EXCEPTION.test(callee)) && !trace.fromParameter && !trace.fields.size
  )
}

function sensitiveLogs(context: CodeContext): Outcome {
  const { program } = context
  const logs = ['d', 'v', 'i', 'w', 'e'].flatMap((name) => callsTo(context, `Landroid/util/Log;->${name}(`))
  const own = logs.filter((call) => isOwn(context, call))
  const hits: Hit[] = []
  for (const call of own.concat(
    callsTo(context, 'Ljava/io/PrintStream;->println(Ljava/lang/String;').filter((call) => isOwn(context, call)),
  )) {
    const logged = call.callee.includes('/Log;')
    const trace = traceArgument(program, call, logged ? 2 : 1, 0)
    const tag = logged ? stringArgument(program, call, 1) : undefined
    const word =
      [...trace.strings].find((value) => SENSITIVE_WORD.test(value)) ??
      [...trace.fields].map(fieldName).find((name) => CREDENTIAL_NAME.test(name)) ??
      (tag !== undefined && SENSITIVE_TAG.test(tag) ? tag : undefined)
    if (word && trace.variable && !isLabel(program, call, logged ? 2 : 1) && !guardedByDebug(context, call.method))
      hits.push(
        codeHit(
          call,
          callKey(call, masked(word)),
          text(`日志输出与 "${word.slice(0, 40)}" 相连的内容`, `logs something behind "${word.slice(0, 40)}"`),
        ),
      )
  }
  const chatty = own.filter(({ callee }) => /Log;->[dv]\(/.test(callee))
  if (chatty.length > 50) {
    const detail = text(`自有代码中有 ${chatty.length} 处调试日志`, `${chatty.length} debug logs in own code`)
    hits.push(codeHit(chatty[0]!, 'many debug logs', detail, 'info'))
  }
  return { hits, looked: own }
}
