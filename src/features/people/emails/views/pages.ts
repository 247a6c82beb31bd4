import { html } from '../../../../core/html.ts'
import type { Answer } from '../../../../core/operation.ts'
import { page } from '../../../../infra/http/html-page.ts'
import { shortened } from '../rules/verification.ts'
import type { VerificationOfUser } from '../types.ts'

type Shown = Pick<VerificationOfUser, 'username' | 'email'>

/** The page to which the link in the mail leads. Nothing changes until the button is pressed. */
export function confirmationPage({ username, email }: Shown, token: string): Answer {
  const main = html`<p>The account <strong>${username}</strong> wants to use the address <strong>${shortened(email)}</strong>.</p>
<form method="post" action="${token}/confirm">
<button class="go yes">Verify this address</button>
</form>
<p class="note">If this is not your account, close this page: the address is then not used.</p>`
  return page({ title: 'Verify your e-mail address', main })
}

export function verifiedPage({ username, email }: Shown): Answer {
  const main = html`<p><strong>${shortened(email)}</strong> is now the address of the account <strong>${username}</strong>. You can close this page.</p>`
  return page({ title: 'Address verified', main })
}
