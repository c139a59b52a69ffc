// Clips as the page carries them: a skeleton shared by many clips, and samples packed in base64.
// Packed: for each frame and joint a rotation x y z w as 16-bit integers (1 = 32767), then for each frame and translated
// joint a translation x y z as 32-bit floats; little endian.
var Shosa = Shosa || {};

Shosa.bytesOfBase64 = function (text) {
  const raw = atob(text.trim());
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
};

Shosa.Clip = class {
  constructor(meta, skeleton, base64) {
    this.meta = meta;
    this.skeleton = skeleton;
    this.frames = meta.frames;
    this.step_s = meta.frame_time_s;
    this.last_s = (meta.frames - 1) * meta.frame_time_s;
    const view = new DataView(Shosa.bytesOfBase64(base64).buffer);
    const joints = skeleton.joints.length;
    this.rotations = new Float32Array(this.frames * joints * 4);
    for (let i = 0; i < this.rotations.length; ++i) this.rotations[i] = view.getInt16(2 * i, true) / 32767;
    const begin = 2 * this.rotations.length;
    this.translations = new Float32Array(this.frames * meta.translated.length * 3);
    for (let i = 0; i < this.translations.length; ++i) this.translations[i] = view.getFloat32(begin + 4 * i, true);
    this.quaternion = new THREE.Quaternion();
    this.next = new THREE.Quaternion();
  }

  /// The posture at a time, clamped, written into one Object3D per joint: normalised linear interpolation along the
  /// shorter arc, as the library samples.
  pose(time_s, objects) {
    const joints = this.skeleton.joints.length;
    const at = Math.min(Math.max(time_s / this.step_s, 0), this.frames - 1);
    const a = Math.floor(at), b = Math.min(a + 1, this.frames - 1), w = at - a;
    const q = this.quaternion, r = this.next;
    for (let j = 0; j < joints; ++j) {
      q.fromArray(this.rotations, (a * joints + j) * 4);
      r.fromArray(this.rotations, (b * joints + j) * 4);
      const sign = q.dot(r) < 0 ? -1 : 1;
      objects[j].quaternion.set(q.x + w * (sign * r.x - q.x), q.y + w * (sign * r.y - q.y),
        q.z + w * (sign * r.z - q.z), q.w + w * (sign * r.w - q.w)).normalize();
    }
    const moved = this.meta.translated;
    for (let k = 0; k < moved.length; ++k) {
      const i = (a * moved.length + k) * 3, n = (b * moved.length + k) * 3, t = this.translations;
      objects[moved[k]].position.set(t[i] + w * (t[n] - t[i]), t[i + 1] + w * (t[n + 1] - t[i + 1]),
        t[i + 2] + w * (t[n + 2] - t[i + 2]));
    }
  }

  /// The feet that stand at a time, as a set of joints.
  standing(time_s) {
    const joints = new Set();
    for (const foot of this.meta.feet) {
      if (foot.stances.some((s) => time_s >= s[0] - 1e-9 && time_s <= s[1] + 1e-9)) joints.add(foot.joint);
    }
    return joints;
  }
};

/// The clips of the page, unpacked when first asked for.
Shosa.Library = class {
  constructor(data) {
    this.data = data;
    this.clips = new Map();
  }

  figure(id) {
    return this.data.figures.find((figure) => figure.id === id);
  }

  clip(index) {
    if (!this.clips.has(index)) {
      const meta = this.data.clips[index];
      const text = document.getElementById('clip-' + index).textContent;
      this.clips.set(index, new Shosa.Clip(meta, this.data.skeletons[meta.skeleton], text));
    }
    return this.clips.get(index);
  }
};
