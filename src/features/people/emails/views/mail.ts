import { html } from '../../../../core/html.ts'
import type { Mail } from '../../../../infra/clients/mail.ts'

/**
 * The verification mail. Any user can have it sent to any address, so it contains no text by the user. The page behind
 * the link names the account that requested it.
 */
export function verificationMail(to: string, link: string): Mail {
  const asked = 'Somebody asked to use this e-mail address for their account on Downbeat.'
  const act = 'If that was you, open this link within 24 hours and confirm the address there:'
  const ignore = 'If it was not you, do nothing: the address is then not used.'
  return {
    to,
    subject: 'Verify your e-mail address for Downbeat',
    text: [asked, act, link, ignore].join('\n\n'),
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Verify your e-mail address</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
<p>${asked}</p>
<p>${act}</p>
<p><a href="${link}">${link}</a></p>
<p>${ignore}</p>
</body>
</html>
`.text,
  }
}
