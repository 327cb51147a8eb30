// The client knows a one-use code, never the secret
override fun onResp(response: BaseResp) {
    if (response is SendAuth.Resp && response.errCode == BaseResp.ErrCode.ERR_OK && response.state == expectedState)
        api.signInWithWeChat(response.code)
}
