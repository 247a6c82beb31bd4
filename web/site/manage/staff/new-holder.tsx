import { useState } from 'react'
import type { TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { staffAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { PersonField } from '../../parts/finder.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Section } from '../../parts/section.tsx'
import type { Role } from '../rights.ts'
import { withRole } from './reads.ts'
import styles from './staff.module.css'

/** Gives a role to somebody, found by name. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly roles: readonly Role[]
}

export function NewHolder({ tournament: { guid, id }, roles }: Props) {
  const [user, setUser] = useState<UserCard | null>(null)
  const [role, setRole] = useState<Role>(roles.at(-1) ?? 'role:host')
  const [count, setCount] = useState(0)
  const grant = useWrite('POST /tournaments/{tournament}/permissions/{user}/grant', (known) => {
    if (user !== null) known.change(staffAddress(id), (groups) => withRole(groups, user, role, true))
    setUser(null)
    setCount(count + 1)
  })
  const submit = () => user !== null && grant.send({ params: { tournament: guid, user: user.guid }, body: { role } })
  return (
    <Section title={words('staff.give')}>
      <Form error={grant.error} onSubmit={submit}>
        <div className={styles.give}>
          <div className="field">
            <label htmlFor="holder">{words('staff.who')}</label>
            {/* A new field for the next person, so that the text of the last one is gone. */}
            <PersonField key={count} id="holder" placeholder={words('staff.who-hint')} chosen={user} choose={setUser} />
          </div>
          <div className="field">
            <label htmlFor="given">{words('staff.role')}</label>
            <select id="given" className="in" value={role} onChange={({ target }) => setRole(target.value as Role)}>
              {roles.map((each) => (
                <option key={each} value={each}>
                  {words(`role.${each.replace('role:', '')}` as 'role.admin')}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" className="btn btn-primary" aria-disabled={user === null || grant.isSending}>
            {words('staff.do')}
          </button>
        </div>
      </Form>
    </Section>
  )
}
