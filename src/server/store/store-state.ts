/** Whether something can be kept, in the database or on a disk, and since when that has been so. */
export type StoreState = { readonly isUp: boolean; readonly since: number };
