import { Type } from 'typebox'
import { type Actor, signedIn } from '../../../../core/actor.ts'
import { Answer, command } from '../../../../core/operation.ts'
import { forbidden } from '../../../../core/problem.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import { ImportBody, importMembers } from '../bodies.ts'
import { takePackage } from '../commands/taking.ts'
import { receivePackage } from '../prepare.ts'
import { checkImportable, missingFile, packageProblems, packageTerms, readImport } from '../rules.ts'
import type { ImportMode } from '../types.ts'
import { ImportedPackageView, importedPackageView } from '../views.ts'

function checkMode(actor: Actor, mode: ImportMode | undefined): void {
  if (mode !== 'restore' || ownersAndDevelopers.allows(actor, {})) return
  throw forbidden('role.missing', `Only ${ownersAndDevelopers.who} may restore tournaments; import a copy instead.`)
}

const bring = command({
  name: 'packages.import',
  method: 'POST',
  path: '/tournaments/import',
  scope: 'rest:write',
  allow: signedIn,
  budget: 'upload',
  summary: 'Make a tournament of a package.',
  description:
    'As a form with one part `file`, of 512 MiB at most; what is to be done with it is told by the other parts, or by the query, which has an import refused before it is sent. A copy is a draft of the caller with new GUIDs, in which everybody else is a placeholder; it may be made of any package, and what a package of what everybody may read, or without names, does not tell is as in a new tournament. People whose chat accounts are known here are told, and take their places by `POST /users/{user}/claim`. Roles are listed and not given. To restore keeps GUIDs, status, organiser and roles, and needs a full package by a signer who is known here, or trusted. Nothing is sent because of an import. One import of a user and two of all run at a time.',
  query: Type.Object(importMembers),
  body: ImportBody,
  bodyType: 'upload',
  reply: { 201: ImportedPackageView, 200: ImportedPackageView },
  problems: {
    ...packageProblems,
    'role.missing': 403,
    'package.untrusted': 403,
    'package.exists': 409,
    'tournament.id_taken': 409,
    'tournament.too_many_drafts': 409,
    'tournament.organiser_unfit': 409,
  },
  async admitUpload({ actor, body, services, isWhole, hasFile }) {
    checkMode(actor, body.mode)
    services.packages.imports.check(actor.guid)
    if (isWhole) {
      readImport(body, actor.guid)
      if (!hasFile) throw missingFile()
    }
    return packageTerms
  },
  async prepare({ actor, body, services, request: { upload }, now }) {
    if (upload === null) throw missingFile()
    const sent = await receivePackage(upload, actor, services, now)
    const { source, signer } = sent.checked
    checkImportable(readImport(body, actor.guid), source.manifest, signer.state)
    return sent
  },
  async run({ tx, actor, body, prepared, services, now }) {
    // Rights may have changed while the file arrived.
    checkMode(actor, body.mode)
    const { wish, isDryRun } = readImport(body, actor.guid)
    const taken = await takePackage(tx, { actor, wish, isDryRun, ...prepared, services, now })
    return new Answer(isDryRun ? 200 : 201, { body: importedPackageView(taken, prepared.checked, wish.mode, actor) })
  },
})

export const importingOperations = [bring]
