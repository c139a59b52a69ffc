// A body drawn over a skeleton: rounded limbs, a trunk, a head that shows where it looks, feet and paws. Shapes hang on
// the joints, so only the joints move.
var Shosa = Shosa || {};

(function () {
  const v = (x, y, z) => new THREE.Vector3(x, y, z);
  const kY = v(0, 1, 0);

  /// Half-widths at the near and far end of a limb and of the bulge between, metres for a person of 1.75 m.
  const kLimbs = {
    humanoid: {
      upper_leg: [0.078, 0.056, 0.083], lower_leg: [0.054, 0.036, 0.058], upper_arm: [0.049, 0.038, 0.049],
      lower_arm: [0.038, 0.026, 0.040], shoulder: [0.046, 0.056, 0.052], neck: [0.052, 0.048, 0.049],
    },
    quadruped: {
      upper_leg: [0.062, 0.036, 0.064], lower_leg: [0.036, 0.020, 0.036], foot: [0.021, 0.020, 0.020],
      upper_arm: [0.046, 0.032, 0.046], lower_arm: [0.029, 0.020, 0.030], hand: [0.020, 0.022, 0.020],
      shoulder: [0.050, 0.050, 0.056], neck: [0.078, 0.058, 0.070],
    },
  };

  const { limbShape, shoeShape, trunkShape } = Shosa;

  class Builder {
    constructor(skeleton, objects, materials, scale) {
      Object.assign(this, { skeleton, objects, materials, scale });
      this.at = objects.map((o) => v().setFromMatrixPosition(o.matrixWorld));
      this.children = skeleton.joints.map(() => []);
      skeleton.joints.forEach((joint, j) => { if (joint.parent >= 0) this.children[joint.parent].push(j); });
      this.ends = new Map(skeleton.end_sites.map((site) =>
        [site.parent, v().fromArray(site.offset).applyMatrix4(objects[site.parent].matrixWorld)]));
      this.quadruped = skeleton.kind === 'quadruped';
      this.limbs = kLimbs[this.quadruped ? 'quadruped' : 'humanoid'];
      this.roleOf = {};
      for (const role of Object.keys(skeleton.roles)) this.roleOf[skeleton.roles[role]] = role;
      this.findAxes();
    }

    place(role) {
      const joint = this.skeleton.roles[role];
      return joint === undefined ? null : this.at[joint];
    }

    findAxes() {
      const l = this.place('left_upper_leg'), r = this.place('right_upper_leg');
      this.left = l && r ? l.clone().sub(r) : v(1, 0, 0);
      this.left.y = 0;
      if (this.left.length() < 1e-4) this.left.set(1, 0, 0);
      this.left.normalize();
      this.forward = v().crossVectors(this.left, kY).normalize();
    }

    /// Hangs a shape, given in world axes of the standing body, on a joint.
    hang(joint, shape, material, position, x, y, z) {
      const mesh = new THREE.Mesh(shape, material);
      const world = new THREE.Matrix4().makeBasis(x, y, z).setPosition(position);
      const local = new THREE.Matrix4().getInverse(this.objects[joint].matrixWorld).multiply(world);
      local.decompose(mesh.position, mesh.quaternion, mesh.scale);
      mesh.castShadow = true;
      mesh.receiveShadow = !this.materials.ghost;
      this.objects[joint].add(mesh);
      return mesh;
    }

    ellipsoid(joint, center, hx, hy, hz, material, up) {
      const y = (up || kY).clone().normalize();
      const x = this.left.clone().sub(y.clone().multiplyScalar(this.left.dot(y))).normalize();
      const z = v().crossVectors(x, y);
      const mesh = this.hang(joint, new THREE.SphereBufferGeometry(1, 28, 20), material || this.materials.body, center, x, y, z);
      mesh.scale.set(hx, hy, hz);
      return mesh;
    }

    limb(joint, from, to, near, far, bulge, material) {
      const along = to.clone().sub(from), length = along.length();
      if (length < 1e-4) return;
      const y = along.normalize();
      const help = Math.abs(y.dot(this.forward)) > 0.9 ? kY : this.forward;
      const x = v().crossVectors(y, help).normalize();
      this.hang(joint, limbShape(length, near, far, bulge), material || this.materials.body, from, x, y, v().crossVectors(x, y));
    }

    ball(joint, radius) {
      this.ellipsoid(joint, this.at[joint], radius, radius, radius, this.materials.joint);
    }

    /// The end of a chain: its end site, the mean of its children, or a little further on.
    tip(joint) {
      if (this.ends.has(joint)) return this.ends.get(joint);
      const next = this.children[joint];
      if (next.length) return next.reduce((sum, j) => sum.add(this.at[j]), v()).divideScalar(next.length);
      const parent = this.skeleton.joints[joint].parent;
      return parent < 0 ? null : this.at[joint].clone().multiplyScalar(1.6).sub(this.at[parent].clone().multiplyScalar(0.6));
    }

    trunk() {
      const s = this.scale, roles = this.skeleton.roles;
      const chain = ['hips', 'spine', 'chest', 'upper_chest'].filter((role) => roles[role] !== undefined).map((r) => roles[r]);
      const neck = this.place('neck') || this.place('head');
      chain.forEach((joint, i) => {
        const from = this.at[joint], to = i + 1 < chain.length ? this.at[chain[i + 1]] : neck;
        if (!to) return;
        const along = to.clone().sub(from), length = along.length();
        const widths = this.quadruped ? [0.088, 0.084, 0.098, 0.105] : [0.150, 0.124, 0.140, 0.158];
        const width = (k) => widths[Math.round(3 * k / Math.max(chain.length - 1, 1))] * s;
        const last = i + 1 === chain.length, y = along.clone().normalize();
        const x = this.left.clone().addScaledVector(y, -this.left.dot(y)).normalize();
        const end = last ? (this.quadruped ? 0.074 : 0.058) * s : width(i + 1);
        const depth = this.quadruped ? 1.22 : last ? 0.66 : 0.70;
        const shape = trunkShape(length, width(i), end, depth, last ? 0.030 * s : 0);
        // A dog's ribs hang below its spine.
        const at = this.quadruped ? from.clone().add(v(0, (last ? -0.045 : -0.030) * s, 0)) : from;
        this.hang(joint, shape, this.materials.body, at, x, y, v().crossVectors(x, y));
      });
    }

    head() {
      const joint = this.skeleton.roles.head;
      if (joint === undefined) return;
      const s = this.scale, from = this.at[joint], m = this.materials;
      if (this.quadruped) {
        const tip = this.tip(joint) || from.clone().addScaledVector(this.forward, 0.2 * s);
        const along = tip.clone().sub(from);
        this.ellipsoid(joint, from.clone().addScaledVector(along, 0.22), 0.074 * s, 0.090 * s, 0.076 * s, m.body, along);
        this.limb(joint, from.clone().addScaledVector(along, 0.4).add(v(0, -0.018 * s, 0)), tip.clone().add(v(0, -0.014 * s, 0)), 0.048 * s, 0.030 * s, 0.044 * s);
        this.ellipsoid(joint, tip.clone().addScaledVector(along, 0.12), 0.017 * s, 0.013 * s, 0.014 * s, m.dark);
        for (const side of [-1, 1]) {
          const ear = from.clone().addScaledVector(this.left, side * 0.058 * s).add(v(0, 0.045 * s, 0));
          const end = ear.clone().addScaledVector(this.left, side * 0.022 * s).add(v(0, 0.078 * s, 0)).addScaledVector(this.forward, -0.018 * s);
          this.limb(joint, ear, end, 0.026 * s, 0.008 * s, 0.020 * s, m.joint);
          const eye = from.clone().addScaledVector(this.left, side * 0.046 * s).addScaledVector(along, 0.5).add(v(0, 0.040 * s, 0));
          this.ellipsoid(joint, eye, 0.010 * s, 0.010 * s, 0.010 * s, m.dark);
        }
        return;
      }
      const tip = this.ends.get(joint) || from.clone().add(v(0, 0.18 * s, 0));
      const along = tip.clone().sub(from), half = 0.5 * along.length() + 0.022 * s;
      const middle = from.clone().addScaledVector(along, 0.5).add(v(0, 0.004 * s, 0)).addScaledVector(this.forward, 0.012 * s);
      this.ellipsoid(joint, middle, 0.076 * s, half, 0.094 * s, m.body, along);
      const face = middle.clone().addScaledVector(this.forward, 0.048 * s).addScaledVector(along, 0.06);
      this.ellipsoid(joint, face, 0.063 * s, 0.030 * s, 0.052 * s, m.dark, along);
    }

    foot(side) {
      const roles = this.skeleton.roles, s = this.scale, material = this.materials.foot(side);
      const ankle = roles[side + '_foot'], toes = roles[side + '_toes'];
      if (ankle === undefined) return;
      const from = this.at[ankle];
      const ball = toes !== undefined ? this.at[toes] : this.tip(ankle) || from.clone().addScaledVector(this.forward, 0.15 * s);
      const tip = toes !== undefined ? this.tip(toes) : ball;
      const forward = ball.clone().sub(from).setY(0);
      if (forward.length() < 0.02 * s) forward.copy(this.forward);
      const reach = Math.max(forward.length(), 0.05 * s);
      forward.normalize();
      const x = v().crossVectors(kY, forward), sole = Math.min(ball.y, tip.y) - 0.010 * s;
      const under = from.clone().setY(sole);
      const high = Math.max(from.y - sole + 0.022 * s, 0.05 * s);
      this.hang(ankle, shoeShape(0.062 * s, reach + 0.012 * s, 0.043 * s, high, 0.052 * s, false), material, under, x, kY, forward);
      if (toes === undefined) return;
      const length = Math.max(tip.clone().sub(ball).setY(0).length(), 0.05 * s) + 0.008 * s;
      this.hang(toes, shoeShape(0.014 * s, length, 0.046 * s, 0.052 * s, 0.030 * s, true), material, ball.clone().setY(sole), x, kY, forward);
    }

    paw(joint, side) {
      const tip = this.tip(joint), s = this.scale, m = this.materials.foot(side);
      if (tip) this.ellipsoid(joint, tip.clone().add(v(0, 0.012 * s, 0)), 0.032 * s, 0.024 * s, 0.044 * s, m);
    }

    hand(side) {
      const joint = this.skeleton.roles[side + '_hand'], s = this.scale;
      if (joint === undefined) return;
      const tip = this.tip(joint), along = tip.clone().sub(this.at[joint]);
      const length = this.children[joint].length ? along.length() * 1.2 : along.length();
      const y = along.normalize(), m = this.materials;
      const z = Math.abs(y.dot(kY)) > 0.9 ? this.left.clone() : kY.clone().sub(y.clone().multiplyScalar(y.y)).normalize();
      const x = v().crossVectors(y, z);
      const palm = this.hang(joint, new THREE.SphereBufferGeometry(1, 20, 14), m.body, this.at[joint].clone().addScaledVector(y, 0.5 * length), x, y, z);
      palm.scale.set(0.040 * s, 0.54 * length, 0.020 * s);
      if (this.children[joint].length) return;
      const root = this.at[joint].clone().addScaledVector(y, 0.25 * length);
      const thumb = root.clone().addScaledVector(y, 0.30 * length).addScaledVector(this.forward, 0.052 * s);
      this.limb(joint, root.addScaledVector(this.forward, 0.020 * s), thumb, 0.015 * s, 0.011 * s, 0.014 * s);
    }

    build() {
      const s = this.scale, trunk = ['hips', 'spine', 'chest', 'upper_chest', 'head'];
      if (this.skeleton.kind !== 'unknown') {
        this.trunk();
        this.head();
      }
      for (const side of ['left', 'right']) {
        if (this.quadruped) {
          const toes = this.skeleton.roles[side + '_toes'], foot = this.skeleton.roles[side + '_foot'];
          if (toes !== undefined || foot !== undefined) this.paw(toes !== undefined ? toes : foot, side + '_foot');
          if (this.skeleton.roles[side + '_hand'] !== undefined) this.paw(this.skeleton.roles[side + '_hand'], side + '_hand');
        } else {
          this.foot(side);
          this.hand(side);
        }
      }
      this.skeleton.joints.forEach((joint, j) => {
        const role = this.roleOf[j], part = role ? role.replace(/^(left|right)_/, '') : null;
        if (this.skeleton.kind !== 'unknown' && (trunk.includes(role) || part === 'toes')) return;
        if (!this.quadruped && (part === 'foot' || part === 'hand')) return;
        const known = part && this.limbs[part];
        const ends = this.children[j].map((k) => this.at[k]);
        if (!ends.length && this.ends.has(j)) ends.push(this.ends.get(j));
        for (const end of ends) {
          const length = end.distanceTo(this.at[j]);
          const thin = Math.min(Math.max(0.14 * length, 0.007 * s), 0.028 * s);
          const tail = this.quadruped && !role ? [0.026, 0.016, 0.024] : null;
          const widths = (known || tail || [thin / s, 0.8 * thin / s, thin / s]).map((x) => x * s);
          this.limb(j, this.at[j], end, widths[0], widths[1], widths[2]);
        }
        if (!this.quadruped && (part === 'lower_leg' || part === 'lower_arm')) this.ball(j, known[0] * 1.13 * s);
      });
    }
  }

  function smooth(color, more) {
    const material = new THREE.MeshStandardMaterial(Object.assign({ roughness: 0.68, metalness: 0.0 }, more));
    material.color.set(color).convertSRGBToLinear();
    return material;
  }

  /// One body on one skeleton. `look.ghost` draws it translucent.
  Shosa.Body = class {
    constructor(clip, look) {
      const skeleton = clip.skeleton;
      this.clip = clip;
      this.root = new THREE.Group();
      this.objects = skeleton.joints.map((joint) => {
        const object = new THREE.Object3D();
        object.position.fromArray(joint.translation);
        object.quaternion.fromArray(joint.rotation);
        return object;
      });
      skeleton.joints.forEach((joint, j) => (joint.parent < 0 ? this.root : this.objects[joint.parent]).add(this.objects[j]));
      this.root.updateMatrixWorld(true);
      if (!Shosa.standsAtRest(skeleton, this.objects)) clip.pose(0, this.objects);
      this.root.updateMatrixWorld(true);

      const more = look.ghost ? { transparent: true, opacity: 0.38, depthWrite: true } : {};
      const feet = {};
      this.feet = feet;
      this.footColor = new THREE.Color(look.foot).convertSRGBToLinear();
      this.standColor = new THREE.Color('#2eb872').convertSRGBToLinear();
      this.materials = {
        ghost: look.ghost, body: smooth(look.body, more), joint: smooth(look.joint, more), dark: smooth('#20242c', Object.assign({ roughness: 0.35 }, more)),
        foot: (side) => feet[side] || (feet[side] = smooth(look.foot, more)),
      };
      new Builder(skeleton, this.objects, this.materials, skeleton.scale).build();
    }

    pose(time_s) {
      this.clip.pose(time_s, this.objects);
      this.root.updateMatrixWorld(true);
      const standing = this.clip.standing(time_s), roles = this.clip.skeleton.roles;
      for (const side of Object.keys(this.feet)) {
        const name = roles[side] !== undefined ? side : side + '_foot';
        this.feet[side].color.copy(standing.has(roles[name]) ? this.standColor : this.footColor);
      }
    }

    joint(name) {
      const index = this.clip.skeleton.joints.findIndex((joint) => joint.name === name);
      return index < 0 ? null : v().setFromMatrixPosition(this.objects[index].matrixWorld);
    }

    /// What stands for the place of the body: the hips; for four legs the middle between hips and neck.
    middle() {
      const roles = this.clip.skeleton.roles;
      const at = (joint) => v().setFromMatrixPosition(this.objects[joint === undefined ? 0 : joint].matrixWorld);
      const hips = at(roles.hips);
      return this.clip.skeleton.kind === 'quadruped' && roles.neck !== undefined ? hips.lerp(at(roles.neck), 0.5) : hips;
    }

    dispose() {
      this.root.traverse((o) => { if (o.geometry) { o.geometry.dispose(); o.material.dispose(); } });
    }
  };

  /// Whether the rest pose shows a body on its feet; some files rest in a knot.
  Shosa.standsAtRest = function (skeleton, objects) {
    const height = (role) => {
      const joint = skeleton.roles[role];
      return joint === undefined ? null : v().setFromMatrixPosition(objects[joint].matrixWorld).y;
    };
    const head = height('head'), hips = height('hips'), foot = height('left_foot');
    if (head === null || hips === null || foot === null) return true;
    const enough = 0.25 * skeleton.scale;
    return hips - foot > enough && (skeleton.kind === 'quadruped' || head - hips > enough);
  };
})();
