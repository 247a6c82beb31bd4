import { useState } from 'react'
import type { Match, StaffGroup } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { Empty } from '../../parts/loaded.tsx'
import type { Of } from './acts.tsx'
import styles from './live.module.css'

/** Who works at a match: referees, casters and hosts of the tournament. */

type Role = Match['officials'][number]['role']

/** Those who serve at matches, in the order in which they are looked for. */
const serving: readonly Role[] = [
  'role:referee',
  'role:caster',
  'role:hcaster',
  'role:host',
  'role:coordinator',
  'role:hcoordinator',
]

const keyOf = (user: string, role: Role) => `${user} ${role}`

interface Props extends Of {
  readonly staff: readonly StaffGroup[]
  readonly close: () => void
}

export function Assign({ match, tournament, staff, close }: Props) {
  const saved = match.officials.map(({ user, role }) => keyOf(user.guid, role))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(saved))
  const update = useWrite('PATCH /tournaments/{tournament}/matches/{match}')
  const shown = serving.flatMap((role) => {
    const users = staff.find((group) => group.role === role)?.users ?? []
    return users.length === 0 ? [] : [{ role, users }]
  })
  const known = new Set(shown.flatMap(({ role, users }) => users.map(({ guid }) => keyOf(guid, role))))
  const toggle = (key: string) =>
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  // Who has another role at the match stays.
  const officials = [
    ...match.officials
      .filter(({ user, role }) => !known.has(keyOf(user.guid, role)))
      .map(({ user, role }) => ({ user: user.guid, role })),
    ...shown.flatMap(({ role, users }) =>
      users.filter(({ guid }) => chosen.has(keyOf(guid, role))).map(({ guid }) => ({ user: guid, role })),
    ),
  ]
  return (
    <Dialog title={words('live.assign-title', { number: match.number })} close={close}>
      {shown.length === 0 ? (
        <Empty>{words('live.no-staff')}</Empty>
      ) : (
        <Form
          error={update.error}
          onSubmit={async () => {
            if (await update.send({ params: { tournament: tournament.id, match: match.guid }, body: { officials } }))
              close()
          }}
        >
          {shown.map(({ role, users }) => (
            <fieldset key={role} className={styles.choices}>
              <legend className="strong">{words(`role.${role.replace('role:', '')}` as WordId)}</legend>
              {users.map(({ guid, preferredName }) => (
                <label key={guid} className="choice">
                  <input
                    type="checkbox"
                    checked={chosen.has(keyOf(guid, role))}
                    onChange={() => toggle(keyOf(guid, role))}
                  />
                  <bdi>{preferredName}</bdi>
                </label>
              ))}
            </fieldset>
          ))}
          <Save isSending={update.isSending}>{words('live.assign-do')}</Save>
        </Form>
      )}
    </Dialog>
  )
}
