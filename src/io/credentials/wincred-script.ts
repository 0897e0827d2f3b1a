/** Access to the Credential Manager of Windows from PowerShell. */

/**
 * A script that reads three lines: `get`, `store` or `erase`; the name of a generic credential; and, for `store`, its
 * bytes. The last two are Base64 of UTF-8. It prints one line: `ok`, with the bytes in Base64 for `get`; `not-found`;
 * or `failed` with the system's message in Base64.
 */
export const WINCRED_SCRIPT = `
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
function ToText([string] $encoded) { [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($encoded)) }
function ToBase64([byte[]] $bytes) { [Convert]::ToBase64String($bytes) }
try {
  Add-Type -TypeDefinition @'
using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
public static class CargoRegistryCredential {
  const uint Generic = 1;
  const uint LocalMachine = 2;
  const int NotFound = 1168;
  [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
  struct Credential {
    public uint Flags;
    public uint Type;
    public string TargetName;
    public string Comment;
    public System.Runtime.InteropServices.ComTypes.FILETIME LastWritten;
    public uint CredentialBlobSize;
    public IntPtr CredentialBlob;
    public uint Persist;
    public uint AttributeCount;
    public IntPtr Attributes;
    public string TargetAlias;
    public string UserName;
  }
  [DllImport("advapi32.dll", EntryPoint = "CredReadW", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern bool CredRead(string target, uint type, uint flags, out IntPtr credential);
  [DllImport("advapi32.dll", EntryPoint = "CredWriteW", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern bool CredWrite(ref Credential credential, uint flags);
  [DllImport("advapi32.dll", EntryPoint = "CredDeleteW", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern bool CredDelete(string target, uint type, uint flags);
  [DllImport("advapi32.dll")]
  static extern void CredFree(IntPtr credential);
  static bool Missing() {
    int error = Marshal.GetLastWin32Error();
    if (error == NotFound) return true;
    throw new Win32Exception(error);
  }
  public static byte[] Get(string target) {
    IntPtr found;
    if (!CredRead(target, Generic, 0, out found)) { Missing(); return null; }
    try {
      Credential credential = (Credential)Marshal.PtrToStructure(found, typeof(Credential));
      byte[] blob = new byte[credential.CredentialBlobSize];
      if (blob.Length > 0) Marshal.Copy(credential.CredentialBlob, blob, 0, blob.Length);
      return blob;
    } finally { CredFree(found); }
  }
  public static void Store(string target, byte[] blob) {
    IntPtr bytes = Marshal.AllocHGlobal(Math.Max(blob.Length, 1));
    try {
      Marshal.Copy(blob, 0, bytes, blob.Length);
      Credential credential = new Credential();
      credential.Type = Generic;
      credential.TargetName = target;
      credential.Comment = "Cargo registry token";
      credential.CredentialBlobSize = (uint)blob.Length;
      credential.CredentialBlob = bytes;
      credential.Persist = LocalMachine;
      if (!CredWrite(ref credential, 0)) throw new Win32Exception(Marshal.GetLastWin32Error());
    } finally { Marshal.FreeHGlobal(bytes); }
  }
  public static bool Erase(string target) {
    if (CredDelete(target, Generic, 0)) return true;
    Missing();
    return false;
  }
}
'@
  $action = [Console]::In.ReadLine()
  $target = ToText ([Console]::In.ReadLine())
  if ($action -eq 'store') {
    [CargoRegistryCredential]::Store($target, [Convert]::FromBase64String([Console]::In.ReadLine()))
    [Console]::Out.WriteLine('ok')
  } elseif ($action -eq 'erase') {
    if ([CargoRegistryCredential]::Erase($target)) { [Console]::Out.WriteLine('ok') }
    else { [Console]::Out.WriteLine('not-found') }
  } else {
    $found = [CargoRegistryCredential]::Get($target)
    if ($null -eq $found) { [Console]::Out.WriteLine('not-found') }
    else { [Console]::Out.WriteLine('ok ' + (ToBase64 $found)) }
  }
} catch {
  $problem = $_.Exception
  while ($null -ne $problem.InnerException) { $problem = $problem.InnerException }
  [Console]::Out.WriteLine('failed ' + (ToBase64 ([Text.Encoding]::UTF8.GetBytes($problem.Message))))
}
`;
