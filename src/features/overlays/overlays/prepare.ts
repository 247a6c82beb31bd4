import type { SignedIn } from '../../../core/actor.ts'
import { invalid } from '../../../core/problem.ts'
import type { StoredUpload } from '../../../core/uploads.ts'
import type { Db } from '../../../infra/db/database.ts'
import { membersReader } from '../../../infra/http/body.ts'
import type { Services } from '../../../services.ts'
import { type PreparedPackage, preparePackage } from '../sceneDocuments/prepare/packages.ts'
import { CreateOverlayBody } from './bodies.ts'

/** The settings and the package of an overlay to create. */
export interface NewOverlay extends CreateOverlayBody {
  readonly package: PreparedPackage | null
}

const readMembers = membersReader(CreateOverlayBody)

/**
 * Reads a body that may contain a package, and stores the package's media. (overlays 11.2)
 * @throws Problem `request.malformed`, `request.invalid`, `overlay.two_beginnings`, and the problems of packages
 */
export async function readNewOverlay(
  db: Db,
  sent: {
    readonly actor: SignedIn
    readonly tournamentGuid: string
    readonly upload: StoredUpload | null
    readonly services: Services
  },
): Promise<NewOverlay> {
  const { upload } = sent
  if (upload === null) throw invalid('request.malformed', 'The body is empty; send a JSON object.')
  let members: CreateOverlayBody | undefined
  const read = await preparePackage(db, { ...sent, upload, member: 'package' }, (rest, hasPackage) => {
    members = readMembers(rest)
    if (hasPackage && members.template != null)
      throw invalid('overlay.two_beginnings', 'An overlay begins as a template or as a package; give one of them.')
    return members.rightsConfirmed === true
  })
  if (members === undefined) throw new Error('a body was not read')
  return { ...members, package: read }
}
