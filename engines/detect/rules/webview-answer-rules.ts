import type { CallSite, MethodFacts } from '../../dex/program.ts'
import type { FindingLevel } from '../result/scan-result.ts'
import { callsIn, callsTo, isOwn, numberArgument, overrides, stringArgument } from './code.ts'
import { guardedByDebug } from './debug-guard.ts'
import { codeHit, methodHit } from './hits.ts'
import { type CodeContext, codeRule, type Hit, type RuleTable, text } from './rule.ts'
import { passes, traceArgument } from './trace.ts'

/** What an application answers when a page asks: errors of certificates, permissions, addresses. */
export const webviewAnswerRules: RuleTable = {
  'android-webview-ssl-error-proceed': codeRule((context) => sslErrors(context)),

  'android-webview-url-check-weak': codeRule((context) => weakUrlChecks(context)),

  'android-webview-geolocation-auto': codeRule((context) =>
    overrideHits(context, 'Landroid/webkit/WebChromeClient;', 'onGeolocationPermissionsShowPrompt', (method) => {
      const { program } = context
      const invoke = program
        .callsFrom(method)
        .find(({ callee }) => callee.includes('GeolocationPermissions$Callback;->invoke('))
      if (!invoke || numberArgument(program, invoke, 2) !== 1 || asksFirst(context, method)) return undefined
      return text('无条件同意网页定位', 'grants location to any page')
    }),
  ),

  'android-webview-permission-grant-all': codeRule((context) =>
    overrideHits(
      context,
      'Landroid/webkit/WebChromeClient;',
      'onPermissionRequest',
      (method) => {
        const { program } = context
        const grant = program.callsFrom(method).find(({ callee }) => callee.includes('PermissionRequest;->grant('))
        if (
          !grant ||
          asksFirst(context, method) ||
          callsIn(program, method, 'PermissionRequest;->getOrigin(') ||
          picksSome(context, grant)
        )
          return undefined
        if (!passes(traceArgument(program, grant, 1), 'PermissionRequest;->getResources(')) return undefined
        return mayRecord(context.facts)
          ? text('无条件同意网页请求的全部权限', 'grants whatever a page asks for')
          : text(
              '无条件同意网页请求的全部权限，但应用自身没有相机与录音权限可给',
              'grants whatever a page asks for; the application itself may use neither camera nor microphone',
            )
      },
      mayRecord(context.facts) ? undefined : 'low',
    ),
  ),
}

/** A page gets no camera and no microphone that the application must not use. Without a manifest nothing is known. */
const mayRecord = (facts: CodeContext['facts']): boolean =>
  !facts ||
  facts.split !== null ||
  facts.sharedUserId !== null ||
  facts.permissions.some(({ name }) => /^android\.permission\.(?:CAMERA|RECORD_AUDIO)$/.test(name))

/** Does another method pick out of the request what is granted, and is the rest refused? A copy of all is no choice. */
function picksSome({ program }: CodeContext, grant: CallSite): boolean {
  const given = program.argument(grant, 1)
  return (
    given.kind === 'call' &&
    !/PermissionRequest;->getResources\(|->clone\(|->(?:copyOf|copyOfRange)\(/.test(given.callee) &&
    callsIn(program, grant.method, 'PermissionRequest;->deny(')
  )
}

/** Does the method ask the user, or compare, before it answers? */
function asksFirst({ program }: CodeContext, method: MethodFacts): boolean {
  return callsIn(
    program,
    method,
    'AlertDialog',
    'DialogFragment',
    '->getHost(',
    'Ljava/lang/String;->equals(',
    'Ljava/lang/String;->endsWith(',
    'Ljava/util/Set;->contains(',
    'Ljava/util/List;->contains(',
    'checkSelfPermission',
  )
}

function overrideHits(
  context: CodeContext,
  ancestor: string,
  name: string,
  judge: (method: MethodFacts) => { zh: string; en: string } | undefined,
  level?: FindingLevel,
): Hit[] {
  const hits: Hit[] = []
  for (const { owner, method } of overrides(context.program, ancestor, name)) {
    const detail = judge(method)
    if (detail) hits.push(methodHit(owner, method, name, detail, level))
  }
  return hits
}

const SSL_ERRORS = new Set(['Landroid/net/http/SslError;', 'Lcom/tencent/smtt/export/external/interfaces/SslError;'])

function sslErrors(context: CodeContext): Hit[] {
  const { program } = context
  const proceeds = [
    'Landroid/webkit/SslErrorHandler;->proceed()',
    `Lcom/tencent/smtt/export/external/interfaces/SslErrorHandler;->proceed()`,
  ]
  return callsTo(context, ...proceeds).flatMap((call): Hit[] => {
    const { method } = call
    if (method.name === 'onReceivedSslError') {
      // With an error of another class nothing that calls it by that name is Android's.
      if (!SSL_ERRORS.has(method.parameters[2] ?? '')) return []
      const judges = callsIn(
        program,
        method,
        'SslErrorHandler;->cancel(',
        'SslError;->getCertificate(',
        'SslError;->getPrimaryError(',
        'SslError;->hasError(',
        'checkServerTrusted',
      )
      if (judges || guardedByDebug(context, method)) return []
      if (asksConsent(context, method))
        return [
          codeHit(
            call,
            'proceed consent',
            text('用户同意后 onReceivedSslError 才 proceed', 'onReceivedSslError proceeds once the user has agreed'),
            'middle',
          ),
        ]
      return [
        codeHit(
          call,
          'proceed',
          text('onReceivedSslError 直接 proceed', 'onReceivedSslError proceeds whatever the error is'),
        ),
      ]
    }
    return answersDialog(context, method)
      ? [
          codeHit(
            call,
            'proceed dialog',
            text('用户确认后忽略证书错误', 'ignores certificate errors when the user agrees'),
            'middle',
          ),
        ]
      : []
  })
}

const answersDialog = ({ program }: CodeContext, method: MethodFacts): boolean =>
  method.name === 'onClick' && program.isA(method.owner, 'Landroid/content/DialogInterface$OnClickListener;')

/** Does the method read a yes or no that the listener of a dialog writes? Both may do so by an accessor of the class that has it. */
function asksConsent(context: CodeContext, method: MethodFacts): boolean {
  const { program } = context
  const accessors = program.callsFrom(method).filter(({ callee }) => callee.endsWith(')Z'))
  const readers = new Set([method.reference, ...accessors.map(({ callee }) => callee)])
  const owners = new Set([...readers].map((reference) => reference.slice(0, reference.indexOf('->'))))
  return [...owners].some((owner) => {
    if (!program.classOf(owner)) return false
    const uses = program.fieldUses(owner).filter(({ field }) => field.endsWith(':Z'))
    const read = new Set(
      uses.filter((use) => !use.write && readers.has(use.method.reference)).map(({ field }) => field),
    )
    return uses.some(
      (use) =>
        use.write &&
        read.has(use.field) &&
        (answersDialog(context, use.method) ||
          program.callsTo(use.method.reference).some((call) => answersDialog(context, call.method))),
    )
  })
}

const CHECKS = [
  'Ljava/lang/String;->contains(',
  'Ljava/lang/String;->indexOf(Ljava/lang/String;',
  'Ljava/lang/String;->startsWith(Ljava/lang/String;)',
  'Ljava/lang/String;->endsWith(',
]

const DOMAIN = /^(?:https?:\/\/)?(?:\.?[\w-]+\.)+[a-z]{2,}(?:\/.*)?$/i

function weakUrlChecks(context: CodeContext): Hit[] {
  const { program } = context
  const methods: MethodFacts[] = [
    ...overrides(program, 'Landroid/webkit/WebViewClient;', 'shouldOverrideUrlLoading'),
  ].map(({ method }) => method)
  for (const found of program.classes()) {
    if (context.ownerOf(found.descriptor).kind === 'sdk') continue
    for (const method of found.methods)
      if (/^(?:check|verify|validate|isValid|isAllowed|isTrusted)(?:Url|URL|Host|Domain)/.test(method.name))
        methods.push(method)
  }
  return [...new Map(methods.map((method) => [method.reference, method])).values()].flatMap((method) =>
    isOwn(context, method)
      ? program.callsFrom(method).flatMap((call): Hit[] => {
          if (!CHECKS.some((check) => call.callee.startsWith(check))) return []
          const literal = stringArgument(program, call, 1)
          if (!literal || !DOMAIN.test(literal)) return []
          const receiver = program.argument(call, 0)
          const onHost = receiver.kind === 'call' && receiver.callee.includes('->getHost(')
          const name = call.callee.slice(call.callee.indexOf('->') + 2, call.callee.indexOf('('))
          const sound =
            (name === 'endsWith' && literal.startsWith('.')) ||
            (name === 'startsWith' && /^https?:\/\/[^/]+\//i.test(literal)) ||
            (name === 'startsWith' && onHost)
          return sound
            ? []
            : [
                codeHit(
                  call,
                  `${name} ${literal}`,
                  text(`用 ${name}("${literal}") 校验地址`, `checks an address by ${name}("${literal}")`),
                ),
              ]
        })
      : [],
  )
}
