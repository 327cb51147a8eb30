import type { CallSite, MethodFacts } from '../../dex/program.ts'
import { mayWriteShared } from '../permissions/may-take.ts'
import { callKey, callsIn, callsTo, isOwn, outerClass, parameterTypes } from './code.ts'
import { isPrivateName } from './credential-names.ts'
import { codeHit } from './hits.ts'
import { textsOf } from './method-texts.ts'
import { type CodeContext, type Hit, type Outcome, text } from './rule.ts'
import { passes, traceArgument } from './trace.ts'
import { isUnused } from './unused-code.ts'

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

export function externalStorage(context: CodeContext): Outcome {
  const hits: Hit[] = []
  const { program } = context
  const writes = (method: MethodFacts): boolean =>
    program.callsFrom(method).some(({ callee }) => WRITES.some((part) => callee.includes(part)) || COPIES.test(callee))
  /** A method that only reads, deletes or makes folders there writes nothing; any other may hand the folder to one of its class that writes. */
  const writers = (call: CallSite): boolean =>
    writes(call.method) ||
    (!callsIn(program, call.method, ...READS) &&
      handsOn(context, call.method) &&
      !isUnused(context, call.method) &&
      (program.classOf(call.method.owner)?.methods.some(writes) ?? false))
  const personal = new Set(context.accesses().map(({ codeLocation }) => outerClass(codeLocation.method.owner)))
  /** Its class takes personal information, or the method, one that calls it, or their texts are named like something private. */
  const sensitive = ({ method }: CallSite): boolean =>
    personal.has(outerClass(method.owner)) ||
    [method, ...program.callersOf(method, 1)].some(
      (one) => isPrivateName(one.name) || textsOf(program, one).some(({ value }) => isPrivateName(value)),
    )
  for (const call of callsTo(
    context,
    'Landroid/os/Environment;->getExternalStorageDirectory()',
    'Landroid/os/Environment;->getExternalStoragePublicDirectory(',
  ))
    if (
      isOwn(context, call) &&
      (mayWriteShared(context.facts, context.targetSdk) || namesOwnFolder(context, call)) &&
      writers(call)
    )
      hits.push(
        answersDownload(context, call)
          ? codeHit(
              call,
              callKey(call),
              text(
                '把用户要求下载的文件写入共享外部存储',
                'writes to shared external storage what the person downloads from a page',
              ),
              'low',
            )
          : keepsMedia(context, call)
            ? codeHit(
                call,
                callKey(call),
                text('在共享外部存储保存图片、音乐或视频', 'keeps pictures, music or films on shared external storage'),
                'low',
              )
            : writes(call.method)
              ? sensitive(call)
                ? codeHit(call, callKey(call), text('在共享外部存储写文件', 'writes to shared external storage'))
                : codeHit(
                    call,
                    callKey(call),
                    text(
                      '在共享外部存储写文件，未见其内容敏感的迹象',
                      'writes to shared external storage; nothing says that what it writes is sensitive',
                    ),
                    'low',
                  )
              : codeHit(
                  call,
                  callKey(call),
                  text(
                    '取得共享外部存储的路径，同一个类会写文件',
                    'takes a folder of shared external storage; its class writes files',
                  ),
                  'low',
                ),
      )
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

/** Does the class of a call spell out the application's own folder of shared storage? Writing there needs no permission from Android 4.4 on. */
function namesOwnFolder({ program }: CodeContext, { method: { owner } }: CallSite): boolean {
  return [...program.stringConstants()].some(
    ({ value, locations, fields }) =>
      /Android\/(?:data|media|obb)\b/.test(value) &&
      (locations.some(({ method }) => method.owner === owner) || fields.some((one) => one.startsWith(`${owner}->`))),
  )
}

/** Is it where a web view says that the person wants to download something? */
const answersDownload = ({ program }: CodeContext, { method }: CallSite): boolean =>
  method.name === 'onDownloadStart' && program.isA(method.owner, 'Landroid/webkit/DownloadListener;')

/** What a person keeps there on purpose: into the folders for it, or a picture. */
function keepsMedia({ program }: CodeContext, call: CallSite): boolean {
  const folder = call.callee.includes('PublicDirectory(') ? program.argument(call, 1) : undefined
  const name = folder?.kind === 'string' ? folder.value : folder?.kind === 'field' ? folder.field : ''
  return MEDIA_FOLDER.test(name) || callsIn(program, call.method, 'Landroid/graphics/Bitmap;->compress(')
}
const MEDIA_FOLDER = /^(?:Pictures|DCIM|Movies|Music|Ringtones)$|;->DIRECTORY_(?:PICTURES|DCIM|MOVIES|MUSIC|RINGTONES):/

/** What says where a file is. */
const PLACE = /^\[*L(?:java\/(?:io\/File|lang\/(?:String|Object))|android\/net\/Uri);$/
const FOLDERS = ['Environment;->getExternalStorage', '->getExternalFilesDir(', '->getExternalCacheDir(']

/**
 * Does a method give an object to somebody else: as its result, in a field, or to a method of the package? Of a method that makes folders it
 * must be a place of files.
 */
function handsOn({ program }: CodeContext, method: MethodFacts): boolean {
  const makesFolders = callsIn(program, method, 'Ljava/io/File;->mkdir')
  const isHandedOn = (type: string) => (makesFolders ? PLACE.test(type) : /^[L[]/.test(type))
  if (isHandedOn(method.returns)) return true
  const written = program
    .fieldUses(method.owner)
    .some(
      ({ write, field, method: user }) =>
        write && isHandedOn(field.slice(field.indexOf(':') + 1)) && user.reference === method.reference,
    )
  return (
    written ||
    program.callsFrom(method).some((call) => {
      if (!program.classOf(call.callee.slice(0, call.callee.indexOf('->')))) return false
      return parameterTypes(call.callee).some(
        (type, at) =>
          PLACE.test(type) && (!makesFolders || passes(traceArgument(program, call, at + 1, 0), ...FOLDERS)),
      )
    })
  )
}
