/** Each role may do all that the ones before it may. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;

/** `viewer` looks, `editor` also changes the site, `owner` also manages people and tokens. */
export type Role = (typeof ROLES)[number];

/** Whether a role may do what needs another role. */
export function isRoleEnough(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
