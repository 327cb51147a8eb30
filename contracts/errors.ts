/**
 * The error catalogue: number, symbolic key and both texts of everything the product may refuse (decisions 1 to 3).
 * Texts that docs/requirements.md quotes are used to the letter in the language they exist in. `{name}` is filled in.
 * `status` is what a caller with an access token gets; the console gets HTTP 200 with the code unless `protocol` says that the
 * status belongs to the protocol itself.
 */
type ErrorEntry = { code: number; status: number; protocol?: true; zh: string; en: string }

// biome-ignore format: one line an error
export const ERRORS = {
  // 5001xx: the request itself
  'envelope.malformed': { code: 500101, status: 400, protocol: true, zh: '请求格式错误', en: 'Malformed request' },
  'envelope.version': { code: 500102, status: 400, protocol: true, zh: '不支持的加密版本', en: 'Unknown envelope version' },
  'envelope.key': { code: 500103, status: 409, protocol: true, zh: '服务器密钥已更换', en: 'The server key has changed' },
  'request.time': { code: 500104, status: 400, protocol: true, zh: '请求时间无效', en: 'The request time is not valid' },
  'envelope.tampered': { code: 500105, status: 400, protocol: true, zh: '请求校验失败', en: 'The request does not verify' },
  'request.replay': { code: 500106, status: 409, protocol: true, zh: '重复的请求', en: 'Repeated request' },
  'request.signature': { code: 500107, status: 400, protocol: true, zh: '请求签名无效', en: 'The request signature is not valid' },
  'request.plain': { code: 500108, status: 400, protocol: true, zh: '该账号要求加密传输', en: 'This account requires encryption' },
  'session.jwt_expired': { code: 500109, status: 400, protocol: true, zh: '令牌已过期', en: 'The token has expired' },
  'session.replaced': { code: 500110, status: 403, protocol: true, zh: '此账号重复登录，即将退出！', en: 'This account signed in elsewhere, signing out!' },
  'session.signed_out': { code: 500111, status: 401, protocol: true, zh: '用户已退出，需重新登录', en: 'Signed out, please log in again' },
  'request.rate': { code: 500112, status: 429, protocol: true, zh: '请求过于频繁，请稍后再试', en: 'Too many requests, please try again later' },
  'request.too_large': { code: 500113, status: 413, protocol: true, zh: '请求内容过大', en: 'The request is too large' },
  'request.media_type': { code: 500114, status: 415, protocol: true, zh: '不支持的内容类型', en: 'Unsupported content type' },
  'request.unknown_path': { code: 500115, status: 404, protocol: true, zh: '接口不存在', en: 'Unknown path' },
  'request.method': { code: 500116, status: 405, protocol: true, zh: '请求方法不允许', en: 'Method not allowed' },
  'server.internal': { code: 500117, status: 500, protocol: true, zh: '服务器内部错误', en: 'Internal server error' },
  'server.starting': { code: 500118, status: 503, protocol: true, zh: '服务正在启动', en: 'The service is starting' },
  'server.store_down': { code: 500119, status: 503, zh: '统计存储暂不可用，正在恢复', en: 'The event store is not available, recovering' },
  'server.store_damaged': { code: 500126, status: 503, zh: '统计存储已损坏，请在服务器上运行 npx appwarden repair：{detail}', en: 'The event store is damaged, run npx appwarden repair on the server: {detail}' },
  'server.query_timeout': { code: 500127, status: 504, zh: '查询超时，请缩小时间范围或筛选条件', en: 'The query took too long, choose a shorter time range or narrower filters' },
  'server.query_cancelled': { code: 500128, status: 503, zh: '查询已取消', en: 'The query was cancelled' },
  'server.query_busy': { code: 500129, status: 429, zh: '该账号正在运行的查询过多，请稍后再试', en: 'Too many queries of this account are running, please try again later' },
  'request.cross_site': { code: 500120, status: 400, protocol: true, zh: '跨站请求被拒绝', en: 'Cross-site request refused' },
  'request.host': { code: 500121, status: 421, protocol: true, zh: '此地址不提供服务：请使用本机地址，或设置 APPWARDEN_TRUST_PROXY', en: 'Not served under this host name: use an address of this machine, or set APPWARDEN_TRUST_PROXY' },
  'session.address': { code: 500122, status: 401, protocol: true, zh: '不允许从当前网络地址使用控制台，请联系管理员', en: 'The console may not be used from this network address: ask an administrator' },
  // 5000xx: what the product says no to
  'permission.missing': { code: 500018, status: 403, zh: '没有权限：{permission}', en: 'Permission missing: {permission}' },
  'input.invalid': { code: 500001, status: 422, zh: '输入有误：{detail}', en: 'Invalid input: {detail}' },
  'data.missing': { code: 500002, status: 404, zh: '数据不存在', en: 'Data does not exist' },
  'data.conflict': { code: 500003, status: 409, zh: '数据已被他人修改，请核对最新数据后重试', en: 'Someone else has changed the data: please check the latest version and try again' },
  'task.exists': { code: 500005, status: 409, zh: '任务已存在', en: 'task already exists' },
  'job.interrupted': { code: 500009, status: 500, zh: '任务多次中断，已停止重试', en: 'The job was interrupted several times and is not started again' },
  'quota.reached': { code: 500006, status: 429, zh: '已达上限：{detail}', en: 'Limit reached: {detail}' },
  'settings.own_address': { code: 500008, status: 422, zh: '列表不包含您当前的地址 {address}，保存后您将无法登录', en: 'The list does not hold your own address {address}: saved, it would lock you out' },
  'environment.unknown_node': { code: 501300, status: 404, zh: '没有该节点的监测数据', en: 'Nothing was measured on this node' },
  'environment.unknown_channel': { code: 501301, status: 422, zh: '告警通道不存在或您不能使用', en: 'An alert channel does not exist or is not yours to use' },
  'notification.zone': { code: 501800, status: 422, zh: '不认识的时区：{zone}', en: 'Unknown time zone: {zone}' },
  'input.empty': { code: 500007, status: 422, zh: '请输入{field}', en: 'Please enter {field}' },
  // 5002xx: sign-in and passwords
  'login.username_empty': { code: 500201, status: 422, zh: '用户名不能为空', en: 'The user name cannot be empty' },
  'login.email': { code: 500202, status: 422, zh: '请输入正确的邮箱地址', en: 'Please enter the correct email address' },
  'login.password_empty': { code: 500203, status: 422, zh: '请输入密码', en: 'Please enter the password' },
  'login.code_empty': { code: 500204, status: 422, zh: '请输入验证码', en: 'Please enter the verification code' },
  'login.code_wrong': { code: 500205, status: 400, zh: '验证码错误！', en: 'Verification code error!' },
  'login.wrong': { code: 500206, status: 400, zh: '用户名或密码错误', en: 'Wrong user name or password' },
  'login.locked': { code: 500207, status: 429, zh: '登录失败次数过多，请 {minutes} 分钟后再试', en: 'Too many failures, try again in {minutes} minutes' },
  'login.not_logged_in': { code: 500208, status: 401, zh: '未登录', en: 'Not logged in' },
  'login.first_expired': { code: 500209, status: 400, zh: '初始密码已过期，请在服务器上重置', en: 'The first password has expired, reset it on the server' },
  'login.proof': { code: 500222, status: 428, zh: '登录失败次数较多，浏览器须先完成一次计算', en: 'After several failures the browser has to do a computation first' },
  'login.second_factor': { code: 500223, status: 401, zh: '请输入第二步验证码', en: 'Enter the code of the second step' },
  'login.second_wrong': { code: 500224, status: 400, zh: '第二步验证码错误，请重新输入', en: 'The code of the second step is wrong, enter it again' },
  'login.second_expired': { code: 500225, status: 400, zh: '第二步验证已超时，请重新登录', en: 'The second step has timed out, please log in again' },
  'login.must_enrol': { code: 500226, status: 403, zh: '该角色要求第二步验证，请先启用', en: 'This role requires a second factor, please set it up first' },
  'login.address': { code: 500228, status: 403, zh: '不允许从地址 {address} 登录，请联系管理员', en: 'Signing in from the address {address} is not allowed: ask an administrator' },
  'login.directory_away': { code: 500229, status: 503, zh: '目录服务暂时无法访问，请稍后再试或联系管理员', en: 'The directory cannot be reached: try again later or ask an administrator' },
  'login.no_role': { code: 500247, status: 403, zh: '您的账号所属的组没有登录权限，请联系管理员', en: 'None of the groups of your account may sign in: ask an administrator' },
  'login.name_taken': { code: 500248, status: 409, zh: '用户名 {username} 已被另一个账号使用，请联系管理员', en: 'The user name {username} belongs to another account: ask an administrator' },
  'login.disabled': { code: 500249, status: 403, zh: '该账号已停用，请联系管理员', en: 'The account is disabled: ask an administrator' },
  'login.oidc_off': { code: 500252, status: 409, zh: '未启用统一认证登录', en: 'Sign-in with a provider is not enabled' },
  'login.oidc_away': { code: 500253, status: 503, zh: '统一认证服务暂时无法访问，请稍后再试或使用本地账号登录', en: 'The sign-in provider cannot be reached: try again later or use a local account' },
  'login.oidc_state': { code: 500254, status: 400, zh: '登录已过期或不是从此浏览器发起，请重新登录', en: 'The sign-in has expired or was not begun in this browser: sign in again' },
  'login.oidc_refused': { code: 500255, status: 403, zh: '统一认证服务拒绝了登录：{detail}', en: 'The sign-in provider refused: {detail}' },
  'login.oidc_invalid': { code: 500256, status: 400, zh: '统一认证服务的回复未通过校验，请重新登录或联系管理员', en: 'The answer of the sign-in provider does not verify: sign in again or ask an administrator' },
  'login.oidc_email': { code: 500257, status: 403, zh: '统一认证服务没有提供已验证的邮箱地址，请联系管理员', en: 'The sign-in provider gave no verified e-mail address: ask an administrator' },
  'login.again': { code: 500258, status: 409, zh: '请先退出并重新登录，再进行此操作', en: 'Sign out and in again before you do this' },
  'passkey.host': { code: 500270, status: 409, zh: '通行密钥需要主机名：请用域名（HTTPS）或 localhost 打开控制台，不能用 IP 地址', en: 'Passkeys need a host name: open the console under a domain name (HTTPS) or localhost, not an IP address' },
  'passkey.wrong': { code: 500271, status: 400, zh: '通行密钥验证失败，请重试', en: 'The passkey did not verify, please try again' },
  'passkey.none': { code: 500272, status: 409, zh: '该账号在此主机名下没有通行密钥', en: 'This account has no passkey for this host name' },
  'second_factor.none': { code: 500227, status: 409, zh: '该账号未启用第二步验证', en: 'This account has no second factor' },
  'login.must_change': { code: 500210, status: 403, zh: '首次登录请先修改密码', en: 'Please change the first password before going on' },
  'password.rule': { code: 500211, status: 422, zh: '密码为 8-64 位，且至少包含大写字母、小写字母、数字、特殊字符中的三种，不能含空格', en: '8 to 64 characters with at least three of uppercase, lowercase, digit and special, no spaces' },
  'password.characters': { code: 500212, status: 422, zh: '输入框禁止输入%或*号等符号', en: 'Symbols such as % or * are not allowed' },
  'password.same': { code: 500213, status: 422, zh: '新旧密码不能相同', en: 'The old and new passwords cannot match' },
  'password.confirm': { code: 500214, status: 422, zh: '两次输入的密码不一致！', en: 'Two different passwords!' },
  'password.old_wrong': { code: 500215, status: 400, zh: '原密码错误', en: 'The old password is wrong' },
  'password.common': { code: 500216, status: 422, zh: '密码过于常见，请更换', en: 'The password is too common' },
  'password.reused': { code: 500217, status: 422, zh: '不能使用最近 5 次用过的密码', en: 'One of the last five passwords cannot be used again' },
  'password.old_empty': { code: 500218, status: 422, zh: '请输入旧密码', en: 'Please enter the old password' },
  'password.new_empty': { code: 500219, status: 422, zh: '请输入新密码', en: 'Please enter the new password' },
  'password.confirm_empty': { code: 500220, status: 422, zh: '请输入确认密码', en: 'Please confirm the new password' },
  'user.name_exists': { code: 500221, status: 409, zh: '用户名已存在，请重新输入', en: 'User name already exists, please re-enter' },
  'user.information_missing': { code: 500230, status: 422, zh: '请输入要添加的用户信息！', en: 'Please enter the user information to be added!' },
  'user.super_protected': { code: 500231, status: 403, zh: '超级管理员不能被删除、停用或修改', en: 'The super administrator cannot be deleted, disabled or changed' },
  'user.own_account': { code: 500232, status: 403, zh: '不能对自己的账号执行此操作', en: 'This cannot be done to your own account' },
  'user.role_not_grantable': { code: 500233, status: 403, zh: '该角色包含您没有的权限', en: 'That role holds permissions that you do not have' },
  'user.role_unknown': { code: 500234, status: 422, zh: '角色不存在：{detail}', en: 'No such role: {detail}' },
  'user.import_column_missing': { code: 500235, status: 422, zh: '缺少列：{detail}', en: 'Missing column: {detail}' },
  'user.import_column_unknown': { code: 500236, status: 422, zh: '未知的列：{detail}', en: 'Unknown column: {detail}' },
  'user.invitation_invalid': { code: 500237, status: 404, zh: '邀请链接无效、已使用或已过期，请向管理员索取新链接', en: 'The invitation link is not valid, was used or has expired: ask an administrator for a new one' },
  'user.has_password': { code: 500238, status: 409, zh: '该账号已设置密码，请改用“重置密码”', en: 'The account has a password already: reset it instead' },
  'user.external': { code: 500239, status: 409, zh: '该账号的密码和角色由外部目录管理，不能在此修改', en: 'Password and role of this account are managed by the directory that it comes from' },
  'ldap.plain': { code: 500250, status: 422, zh: '未加密的 LDAP 连接会泄露密码：请使用 ldaps:// 或 StartTLS，或明确允许', en: 'LDAP without encryption gives passwords away: use ldaps:// or StartTLS, or allow it explicitly' },
  'source.secret_again': { code: 500251, status: 422, zh: '地址或加密方式已更改，请重新输入密码', en: 'Address or encryption changed: enter the password again' },
  'role.name_empty': { code: 500240, status: 422, zh: '请输入角色名称', en: 'Please enter the role name' },
  'role.name_exists': { code: 500241, status: 409, zh: '角色名称已存在', en: 'The role name already exists' },
  'role.permissions_empty': { code: 500242, status: 422, zh: '请至少选择一项权限', en: 'Please choose at least one permission' },
  'role.not_grantable': { code: 500243, status: 403, zh: '不能授予您没有的权限：{detail}', en: 'You cannot grant what you do not have: {detail}' },
  'role.built_in': { code: 500244, status: 403, zh: '内置角色不能修改或删除，请复制后修改', en: 'Built-in roles cannot be changed or deleted: change a copy' },
  'role.own': { code: 500245, status: 403, zh: '不能修改自己的角色', en: 'You cannot change your own role' },
  'role.in_use': { code: 500246, status: 409, zh: '仍有 {count} 个账号使用该角色，请先为它们更换角色', en: 'Accounts still have this role ({count}): give them another one first' },
  // 5003xx: applications and ingest keys
  'application.name_empty': { code: 500301, status: 422, zh: '请输入应用名称', en: 'Please enter the application name' },
  'application.platform_empty': { code: 500302, status: 422, zh: '请至少选择一个平台', en: 'Please choose at least one platform' },
  'application.not_yours': { code: 500303, status: 403, zh: '只有应用所有者或管理员可以执行此操作', en: 'Only the owner or an administrator may do this' },
  // 5004xx: collector (plain HTTP statuses)
  'collect.unreadable': { code: 500401, status: 400, protocol: true, zh: '批次无法读取：{detail}', en: 'The batch cannot be read: {detail}' },
  'collect.key': { code: 500402, status: 401, protocol: true, zh: '上报密钥无效', en: 'The key is not valid' },
  'collect.signature': { code: 500403, status: 401, protocol: true, zh: '设备签名无效', en: 'The device signature is not valid' },
  'collect.time': { code: 500404, status: 401, protocol: true, zh: '设备时间偏差过大', en: 'The device clock is too far off' },
  'collect.replay': { code: 500405, status: 409, protocol: true, zh: '批次已接收', en: 'This batch was taken before' },
  'collect.busy': { code: 500406, status: 429, protocol: true, zh: '积压过多，请稍后重试', en: 'Backlog is full, retry later' },
  'collect.proof': { code: 500407, status: 400, protocol: true, zh: '注册证明无效', en: 'The enrolment proof is not valid' },
  'collect.disk': { code: 500408, status: 503, protocol: true, zh: '磁盘已满，无法接收', en: 'The disk is full, nothing can be taken' },
  'collect.slow': { code: 500410, status: 408, protocol: true, zh: '请求内容传输过慢', en: 'The body arrives too slowly' },
  'collect.journal': { code: 500409, status: 503, protocol: true, zh: '事件日志暂不可写，请稍后重试', en: 'The event journal cannot be written, retry later' },
  // 5009xx: protection policies
  'policy.deployed': { code: 500901, status: 409, zh: '策略正在下发，请先结束下发', en: 'The policy is deployed, end the deployment first' },
  'policy.archived': { code: 500902, status: 409, zh: '策略已归档，请先恢复', en: 'The policy is archived, take it back first' },
  'policy.shrink': { code: 500903, status: 422, zh: '下发比例只能增大，要收回请暂停或回滚', en: 'The share can only grow; pause or roll back to take it away' },
  // 5008xx: devices and baselines
  'baseline.exists': { code: 500801, status: 409, zh: '该应用的此版本已有基线', en: 'This version of the application has a baseline already' },
  'vulnerability.exists': { code: 500802, status: 409, zh: '漏洞编号 {number} 已存在', en: 'The number {number} exists already' },
  // 5007xx: assets
  'asset.too_large': { code: 500701, status: 413, zh: '上传包超过限制', en: 'Upload package exceeds limit' },
  'asset.unreadable': { code: 500702, status: 422, zh: '安装包无法解析：{detail}', en: 'The package cannot be read: {detail}' },
  'asset.only_apk': { code: 500703, status: 422, zh: '上传文件只能是apk格式!', en: 'Upload file can only be APK format!' },
  'asset.disk': { code: 500704, status: 503, zh: '磁盘空间不足，无法上传', en: 'Not enough disk space for uploads' },
  'asset.offset': { code: 500705, status: 409, protocol: true, zh: '上传位置不符', en: 'The upload continues at another offset' },
  'asset.incomplete': { code: 500706, status: 409, zh: '上传尚未完成', en: 'The upload is not complete yet' },
  'asset.busy': { code: 500707, status: 409, zh: '正在解析安装包', en: 'The package is being read' },
  'asset.no_identity': { code: 500708, status: 422, zh: '该文件是库，或没有包名、版本或签名，无法推送', en: 'This file is a library, or has no package name, version or signer to push' },
  'asset.unknown_kind': { code: 500709, status: 422, zh: '安装包无法解析：不是 APK、AAB、APKS、XAPK、AAR、JAR、SO 或 IPA，或者文件不完整', en: 'The package cannot be read: it is no APK, AAB, APKS, XAPK, AAR, JAR, SO or IPA, or not a whole one' },
  // 5010xx: detection
  'detection.failed': { code: 501001, status: 500, zh: '您的应用检测失败！', en: 'Your app detection failed!' },
  'detection.no_phone': { code: 501002, status: 409, zh: '电脑未连接手机...', en: 'The computer is not connected to the mobile phone...' },
  'detection.not_offered': { code: 501003, status: 422, zh: '该类文件不提供此检测', en: 'This detection is not offered for such a file' },
  'detection.no_result': { code: 501004, status: 409, zh: '任务尚无检测结果', en: 'The task has no result yet' },
  'detection.limit': { code: 501005, status: 422, zh: '检测超出限制：{detail}', en: 'The detection went over its limits: {detail}' },
  'report.no_preview': { code: 501700, status: 404, zh: '该报告没有可显示的预览，请下载查看', en: 'There is no preview of this report: download it' },
  'report.not_repeatable': { code: 501701, status: 409, zh: '导出结果不能在此重新生成，请在原列表中再次导出', en: 'An export is not written again here: export its list once more' },
  'report.share_password': { code: 501702, status: 422, zh: '密码为 6-64 个字符', en: 'A password has 6 to 64 characters' },
  'report.mail_addresses': { code: 501703, status: 422, zh: '请输入 1 至 20 个邮箱地址，用逗号或换行分隔', en: 'Enter 1 to 20 mail addresses, separated by commas or lines' },
  'report.mail_server': { code: 501704, status: 409, zh: '未配置邮件服务器，请管理员在服务器上设置 APPWARDEN_SMTP_URL', en: 'No mail server is configured: an administrator sets APPWARDEN_SMTP_URL on the server' },
  'report.mail_size': { code: 501705, status: 413, zh: '文件超过邮件附件上限 20 MB，请改用分享链接', en: 'The file is larger than an attachment may be (20 MB): share a link instead' },
  'report.link_invalid': { code: 501706, status: 404, zh: '链接无效或已被收回，请向发送人索取新链接', en: 'The link is not valid or was revoked: ask the sender for a new one' },
  'report.link_expired': { code: 501707, status: 410, zh: '链接已过期，请向发送人索取新链接', en: 'The link has expired: ask the sender for a new one' },
  'report.link_gone': { code: 501708, status: 410, zh: '报告文件已删除', en: 'The file of the report was deleted' },
  'report.link_locked': { code: 501709, status: 403, zh: '密码错误次数过多，链接已停用，请向发送人索取新链接', en: 'Too many wrong passwords, the link no longer works: ask the sender for a new one' },
  'report.link_password': { code: 501710, status: 403, zh: '密码错误', en: 'Wrong password' },
  'report.schedule_cron': { code: 501711, status: 422, zh: 'cron 表达式无效：应为五段（分 时 日 月 周），如 0 8 * * 1', en: 'The cron expression is not valid: five fields (minute hour day month weekday), as 0 8 * * 1' },
  'report.schedule_zone': { code: 501712, status: 422, zh: '时区无效，应为 Asia/Shanghai 这样的名称', en: 'The time zone is not valid: a name as Asia/Shanghai' },
  'report.schedule_often': { code: 501713, status: 422, zh: '两次运行的间隔至少为 15 分钟', en: 'Two runs are at least 15 minutes apart' },
  'report.schedule_format': { code: 501714, status: 422, zh: '统计与自检报告只能是 PDF 或 DOC', en: 'Reports of statistics and self-checks are PDF or DOC' },
  'report.logo': { code: 501006, status: 422, zh: '标志须为 PNG 或 SVG，不超过 256 KB，边长不超过 4096 像素，且不引用外部内容', en: 'A logo is a PNG or SVG of at most 256 KB and 4096 pixels a side that refers to nothing outside itself' },
  // 5020xx: communication protection
  'communication.key_exists': { code: 502000, status: 409, zh: '该应用已有使用中的密钥 {key}，请轮换', en: 'The application has the key {key} in use: replace it instead' },
  'communication.key_state': { code: 502001, status: 409, zh: '密钥 {key} 的状态不允许此操作：{state}', en: 'Not possible in the state of key {key}: {state}' },
  'communication.policy_scope': { code: 502003, status: 403, zh: '网关策略对所有应用生效，请由管理员设置', en: 'The policy of gateways applies to every application: an administrator sets it' },
  'communication.gateway_away': { code: 502004, status: 503, zh: '网关 {gateway} 没有应答', en: 'The gateway {gateway} does not answer' },
  // 5019xx: platform information
  'info.no_files': { code: 501900, status: 422, zh: '请至少上传一个文件！', en: 'Please upload at least one file!' },
  'info.too_many_files': { code: 501901, status: 422, zh: '最多上传 5 个文件！', en: 'Upload at most 5 files!' },
  'info.file_kind': { code: 501902, status: 422, zh: '模板文件须为 UTF-8 编码的 .md 或 .txt 文本文件', en: 'A template file is UTF-8 text with a name that ends in .md or .txt' },
  'info.same_use': { code: 501903, status: 422, zh: '每种用途只能有一个模板文件：{use}', en: 'One template file for each use: {use}' },
  'info.placeholder': { code: 501904, status: 422, zh: '{file} 中的占位符在此用途下不可用：{name}', en: 'A placeholder of {file} has no value in this use: {name}' },
  // 5016xx: platform tools, name and logo
  'tool.no_certificate': { code: 501601, status: 422, zh: '文件中没有证书、签名或密钥库', en: 'No certificate, signature or key store in the file' },
  'tool.limit': { code: 501602, status: 422, zh: '超出限制：{detail}', en: 'Over the limits: {detail}' },
  'tool.phone': { code: 501603, status: 409, zh: '手机未回答：{detail}', en: 'The phone does not answer: {detail}' },
  // 5030xx: JS protection
  'script.none': { code: 503000, status: 422, zh: '请先上传 JS 文件', en: 'Please upload JS file first' },
  'script.format': { code: 503001, status: 422, zh: 'JS 格式！', en: 'JS format!' },
  'script.archive': { code: 503002, status: 422, zh: '压缩包无法使用：{detail}', en: 'The archive cannot be used: {detail}' },
  'script.busy': { code: 503003, status: 409, zh: '文件正在处理', en: 'The file is being worked on' },
  'script.lock': { code: 503004, status: 422, zh: '时间锁的结束时间必须晚于现在和开始时间', en: 'The time lock must end after now and after its start' },
  'script.failed': { code: 503005, status: 500, zh: '加密失败：{detail}', en: 'Encryption failed: {detail}' },
  // 5031xx: reinforcement
  'reinforce.required': { code: 503101, status: 422, zh: '此项为必填项', en: 'This item is required' },
  'reinforce.address': { code: 503102, status: 422, zh: '请输入正确的接口服务器地址（http 或 https）', en: 'Enter the address of the interface server (http or https)' },
  'reinforce.not_yours': { code: 503103, status: 403, zh: '只有创建者和管理员可以修改这份策略', en: 'Only its creator and administrators may change this policy' },
  'reinforce.general': { code: 503104, status: 403, zh: '行业通用策略须由能看到全部应用的管理员设置', en: 'A general policy is set by administrators who see every application' },
  'reinforce.file': { code: 503105, status: 422, zh: '策略文件有误：{detail}', en: 'The policy file is not valid: {detail}' },
  'reinforce.kind': { code: 503106, status: 422, zh: '只能加固 APK、AAB、AAR、JAR 和 SO：{detail}', en: 'Only an APK, AAB, AAR, JAR or SO can be reinforced: {detail}' },
  'reinforce.packed': { code: 503107, status: 409, zh: '{detail} 已经加固，请上传原包', en: '{detail} is already reinforced, upload the original' },
  'reinforce.failed': { code: 503108, status: 500, zh: '您的应用加固失败！{detail}', en: 'Your app reinforcement failed! {detail}' },
  'reinforce.signature_gone': { code: 503109, status: 409, zh: '签名文件“{detail}”已被删除，请在策略中另选', en: 'The signature file {detail} was deleted: choose another one in the policy' },
  'reinforce.signature_hidden': { code: 503110, status: 403, zh: '您不能使用这份策略的签名文件，请另选策略或签名文件', en: 'You may not use the signature file of this policy: choose another one' },
  'signature.none': { code: 503111, status: 422, zh: '请先选择签名文件', en: 'Choose a signature file first' },
  'signature.format': { code: 503112, status: 422, zh: '不是签名文件：需要 JKS、JCEKS、PKCS#12、BKS 或带证书的 PEM', en: 'Not a signature file: JKS, JCEKS, PKCS#12, BKS, or PEM with its certificate is needed' },
  'signature.store_password': { code: 503113, status: 422, zh: '文件口令不对{left}', en: 'The password of the file is wrong{left}' },
  'signature.key_password': { code: 503114, status: 422, zh: '私钥完整性口令不对{left}', en: 'The private-key integrity password is wrong{left}' },
  'signature.alias': { code: 503115, status: 422, zh: '文件中没有这个别名的私钥', en: 'The file has no private key of this alias' },
  'signature.unusable': { code: 503116, status: 422, zh: '这个密钥不能用于签名：{detail}', en: 'This key cannot sign: {detail}' },
  'signature.not_yours': { code: 503117, status: 403, zh: '只有上传者和管理员可以修改这个签名文件', en: 'Only its uploader and administrators may change this signature file' },
  'signature.busy': { code: 503118, status: 409, zh: '正在核对别的签名文件，请稍后重试', en: 'Another signature file is being checked, try again shortly' },
  'channel.item': { code: 503119, status: 422, zh: '{detail}', en: '{detail}' },
  'channel.exists': { code: 503120, status: 409, zh: '键 {detail} 已存在', en: 'The key {detail} exists' },
  'channel.file': { code: 503121, status: 422, zh: '文件有误：{detail}', en: 'The file is not valid: {detail}' },
  'channel.package': { code: 503122, status: 422, zh: '这个包不能写入渠道：{detail}', en: 'No channel can be written into this package: {detail}' },
  'channel.busy': { code: 503123, status: 429, zh: '正在生成的渠道包已达上限，请等其中一个结束', en: 'As many channel packages as allowed are being made, wait for one to end' },
  // 5036xx: channel monitoring
  'monitor.no_reference': { code: 503600, status: 422, zh: '该应用没有可比对的安装包，请先上传', en: 'The application has no package to compare with, upload one first' },
  'monitor.exists': { code: 503601, status: 409, zh: '该应用已有监测任务，请在原任务上重新监测', en: 'The application has a monitoring task: start it again' },
  'monitor.trial': { code: 503602, status: 422, zh: '请先试运行并取得结果', en: 'Try the connector first: a trial must find something' },
  'monitor.connector': { code: 503603, status: 422, zh: '连接方式无效：{detail}', en: 'The connector cannot be used: {detail}' },
  'monitor.not_pirated': { code: 503604, status: 422, zh: '只有盗版副本有下架函', en: 'Only a pirated copy has a takedown request' },
  'monitor.takedown_steps': { code: 503607, status: 409, zh: '该下架请求的处理记录已达 {limit} 条上限，无法继续登记', en: 'This takedown request already has {limit} entries, the maximum' },
  'monitor.takedown_state': { code: 503605, status: 409, zh: '该请求的状态已变，不能这样改', en: 'The request is in a state that does not allow this' },
  // 5011xx: logs
  'log.protected': { code: 501101, status: 422, zh: '{days} 天内的日志不能删除', en: 'Logs of the last {days} days cannot be deleted' },
  // 5012xx: the platform licence
  'licence.missing': { code: 501201, status: 403, zh: '授权不存在', en: 'Authorization does not exist' },
  'licence.invalid': { code: 501202, status: 403, zh: '授权无效', en: 'Authorization invalid' },
  'licence.code_empty': { code: 501203, status: 422, zh: '授权码不能为空', en: 'Authorization code cannot be empty' },
  'licence.format': { code: 501204, status: 422, zh: '数据格式错误', en: 'Wrong data format' },
  'licence.applications': { code: 501205, status: 403, zh: '超出授权的应用数：已有 {used} 个，授权 {quota} 个，本次新建 {adding} 个', en: 'More applications than licensed: {used} exist, {quota} are licensed, {adding} more were asked for' },
  'licence.users': { code: 501206, status: 403, zh: '超出授权的用户数：已启用 {used} 个，授权 {quota} 个，本次增加 {adding} 个', en: 'More users than licensed: {used} are enabled, {quota} are licensed, {adding} more were asked for' },
  'licence.module': { code: 501207, status: 403, zh: '当前授权不包含：{module}', en: 'The licence does not include: {module}' },
  // 5014xx: maintenance
  'maintenance.too_young': { code: 501401, status: 422, zh: '最近一天的日志不能清理', en: 'Logs of the last day cannot be cleaned' },
  'maintenance.look_first': { code: 501402, status: 409, zh: '请先试跑这些检查：修复前须在一天内看过结果', en: 'Look first: a repair needs a check of the same items within the last day' },
  // 5015xx: platform update
  'update.only_zip': { code: 501501, status: 422, zh: '上传文件只能是zip格式!', en: 'Upload file can only be ZIP format!' },
  'update.too_large': { code: 501502, status: 413, zh: '更新包过大，无法升级', en: 'The update package is too large to upgrade' },
  'update.failed': { code: 501503, status: 500, zh: '更新失败', en: 'Update failed' },
  'update.fallback': { code: 501504, status: 500, zh: '回退失败', en: 'The fallback failure' },
  'update.source': { code: 501505, status: 409, zh: '当前从源码运行：平台更新需要安装包版本', en: 'This runs from a source checkout: updates need the packaged product' },
  'update.running': { code: 501506, status: 409, zh: '正在更新或回滚，请等待结束', en: 'An update or rollback is running, wait for its end' },
  'update.incomplete': { code: 501507, status: 409, zh: '更新包还没有传完', en: 'The update package is not complete' },
  'update.refused': { code: 501508, status: 422, zh: '更新包不能安装', en: 'The update package cannot be installed' },
  'update.expired': { code: 501509, status: 410, zh: '更新包或回滚点已过期', en: 'The update package or the point to go back to has expired' },
  'update.no_return': { code: 501510, status: 409, zh: '没有可回滚的版本', en: 'There is no version to go back to' },
  'maintenance.folder': { code: 501403, status: 422, zh: '备份文件夹不可用：须为数据文件夹之外可写的绝对路径 {reason}', en: 'The folder for backups cannot be used: it must be an absolute path outside the data folder that can be written {reason}' },
  // 5005xx: live
  'live.ticket': { code: 500501, status: 401, protocol: true, zh: '实时连接凭证无效', en: 'The live ticket is not valid' },
  'case.closed': { code: 500601, status: 409, zh: '案件已结案，请先重新打开', en: 'The case is closed, reopen it first' },
  // 5038xx: own articles
  'knowledge.image_size': { code: 503800, status: 413, zh: '图片超过 {limit} MB', en: 'The image is larger than {limit} MB' },
  'knowledge.image_kind': { code: 503801, status: 422, zh: '只支持静态的 PNG、JPEG 和 WebP 图片，不超过 2400 万像素', en: 'An image is a still PNG, JPEG or WebP of at most 24 million pixels' },
  // 5037xx: security service
  'service.move': { code: 503700, status: 409, zh: '当前状态下不能进行此操作，请刷新后重试', en: 'This cannot be done in the current state, please reload' },
  'service.closed': { code: 503701, status: 409, zh: '请求已关闭，请先重新打开', en: 'The request is closed, reopen it first' },
  'service.attachment_size': { code: 503702, status: 413, zh: '附件超过 {limit} MB', en: 'The file is larger than {limit} MB' },
  'service.attachment_kind': { code: 503703, status: 422, zh: '不支持的附件类型，或内容与扩展名不符：{name}', en: 'Files of this kind are not taken, or the content is not what the name says: {name}' },
  'live.token_revoked': { code: 500502, status: 401, protocol: true, zh: '大屏令牌已撤销', en: 'The display token was revoked' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorKey = keyof typeof ERRORS
export type Language = 'zh' | 'en'
export type ErrorParams = Record<string, string | number | Readonly<Record<Language, string>>>

/** The text of an error in a language, parameters filled in. */
export function errorText(key: ErrorKey, language: Language, params: ErrorParams = {}): string {
  return ERRORS[key][language].replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = params[name] ?? all
    return typeof value === 'object' ? value[language] : String(value)
  })
}

const byCode = new Map<number, ErrorKey>((Object.keys(ERRORS) as ErrorKey[]).map((key) => [ERRORS[key].code, key]))
export function errorKeyOf(code: number): ErrorKey | undefined {
  return byCode.get(code)
}

/** What the product refuses with. Thrown anywhere below an endpoint; one mapper answers it (server/http/errors.ts). */
export class ProductError extends Error {
  readonly key: ErrorKey
  readonly params: ErrorParams
  /** Further fields of the answer, such as server_time or retry_after. */
  readonly extra: Record<string, unknown>
  constructor(key: ErrorKey, params: ErrorParams = {}, extra: Record<string, unknown> = {}) {
    super(errorText(key, 'en', params))
    this.name = 'ProductError'
    this.key = key
    this.params = params
    this.extra = extra
  }
}
