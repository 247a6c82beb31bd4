import { address } from '../../data/api.ts'
import type { Account } from '../../data/generated.ts'
import { type GlobalRole, hasRole } from '../../data/global-roles.ts'
import { useRead } from '../../data/queries.ts'
import { type WordId, words } from '../../data/words.ts'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { useAccountChange } from './change.ts'
import styles from './users.module.css'

/** The global roles of somebody. The service decides who may give which. (D24) */

export const nameOfRole = (role: GlobalRole): string => words(`global-role.${role.replaceAll(':', '-')}` as WordId)

/** Only owners give and take these. */
const ofOwners: readonly GlobalRole[] = ['role:owner', 'role:dev']

export function Roles({ of, by }: { readonly of: Account; readonly by: readonly GlobalRole[] }) {
  const catalogue = useRead(address('/userRoles', {}))
  const form = useForm({ key: `roles-${of.guid}`, saved: { roles: of.globalRoles } })
  const change = useAccountChange(of.guid, () => form.take())
  const { roles } = form.values
  return (
    <Section title={words('users.global-roles')}>
      <Loaded of={catalogue} rows={6}>
        {({ global }) => (
          <Form
            error={change.error}
            isChanged={form.isChanged}
            onSubmit={() => change.send({ params: { user: of.guid }, body: { roles } })}
          >
            <fieldset className={styles.roles}>
              <legend className="unseen">{words('users.global-roles')}</legend>
              {global.map(({ role, description }) => (
                <div key={role}>
                  <label className="choice">
                    <input
                      type="checkbox"
                      checked={roles.includes(role)}
                      disabled={ofOwners.includes(role) && !hasRole(by, 'role:owner')}
                      onChange={({ target: { checked } }) =>
                        form.set('roles', checked ? [...roles, role] : roles.filter((each) => each !== role))
                      }
                    />
                    {nameOfRole(role)}
                  </label>
                  <p className="small muted">{description}</p>
                </div>
              ))}
            </fieldset>
            {!hasRole(by, 'role:owner') && <p className="muted">{words('users.roles-owners')}</p>}
            <Save isSending={change.isSending} isSaved={change.isDone} isDisabled={!form.isChanged}>
              {words('users.save-roles')}
            </Save>
          </Form>
        )}
      </Loaded>
    </Section>
  )
}
