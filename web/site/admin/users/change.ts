import { address } from '../../data/api.ts'
import { useWrite } from '../../data/writes.ts'

export const accountAddress = (user: string) => address('/admin/users/{user}', { user })

/** Changes an account; what the service answers is shown. */
export function useAccountChange(user: string, then: () => void = () => {}) {
  return useWrite('PATCH /admin/users/{user}', (known, account) => {
    known.put(accountAddress(user), account)
    known.renew('/admin/users?')
    then()
  })
}
